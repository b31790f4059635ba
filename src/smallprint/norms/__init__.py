"""Beyond one policy: how usual a practice is, what surprises, what is vague, policies side by side, needs and lists."""
