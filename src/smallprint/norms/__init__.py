"""What is usual, what stands out, how policies differ and how one changes."""
