"""Many documents at once: the same stages as for one, over a corpus, on all cores, resumable."""
