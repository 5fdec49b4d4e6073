"""Measurements, run by hand; what they print goes into docs/results.md."""
