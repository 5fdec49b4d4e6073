"""Measuring answers: the benchmarks' answer and judge protocols, in our own words."""
