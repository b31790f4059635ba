"""From candidate sentences to an Answer."""
