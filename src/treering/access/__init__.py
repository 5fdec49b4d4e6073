"""Who may see what, and when: the bounds of a question as one value, and the masks they make."""
