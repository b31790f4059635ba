"""What a policy's text is like and what it says: readability now, practices and vagueness beside it."""
