"""Scores of numbered passages: postings and vectors in files beside the log, all of it derived from the log."""
