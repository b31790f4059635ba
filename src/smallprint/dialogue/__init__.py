"""Conversations: what was said before gives meaning to what is said now."""
