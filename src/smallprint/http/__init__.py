"""What every door over HTTP shares: problems, guards, limits, lanes of work, tokens for forms."""
