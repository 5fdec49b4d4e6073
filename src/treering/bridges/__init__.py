"""Links between distinct leaves: replies, references and shared identifiers, found by look-up."""
