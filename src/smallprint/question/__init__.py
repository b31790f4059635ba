"""What a person means by a question."""
