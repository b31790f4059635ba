"""Beyond one policy: how usual a practice is, what surprises, what is vague, how policies differ, how one changes."""
