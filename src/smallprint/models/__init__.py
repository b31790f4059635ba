"""The shipped models: a reader (one text in), a judge (question × passage in), word vectors, a policy detector."""
