"""Which sentences of a policy could answer a question."""
