"""A policy small enough to be asked in a moment."""

from __future__ import annotations

POLICY = """
<html><head><title>Privacy Policy | Fernhill</title></head><body><h1>Privacy Policy</h1>
<p>This privacy policy explains how Fernhill collects, uses and shares personal information.</p>
<h2>What we collect</h2><p>We collect your name and your email address when you open an account.</p>
<h2>Sharing</h2><p>We do not sell your personal information. We share your location with advertising partners.</p>
<h2>Keeping</h2><p>We keep your photos for two years after you delete your account.</p>
<p>You may contact us about this privacy policy and ask us to delete your personal data at any time.</p>
</body></html>
"""
