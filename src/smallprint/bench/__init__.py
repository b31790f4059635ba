"""Benches: data sets in, figures out, every rival a row beside the product."""
