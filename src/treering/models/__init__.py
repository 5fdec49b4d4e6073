"""Encoders: texts to dense and sparse vectors, and how their weights come to be here."""
