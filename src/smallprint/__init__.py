"""Smallprint reads privacy policies so that people do not have to."""
