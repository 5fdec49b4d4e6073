"""Treering: the memory of an organization."""

__version__ = "0.1.0"
