"""From a question to evidence: the query, four stages, their fusion, and the profiles that set them."""
