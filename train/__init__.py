"""Recipes that make the shipped weights. They need torch; nothing in the product imports them."""
