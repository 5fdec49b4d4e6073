"""Answers to questions, made from evidence and checked against it."""
