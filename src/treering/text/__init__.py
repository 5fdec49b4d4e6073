"""Pure functions over text: terms, identifiers, sentences, tokens, dates, lifecycle words. No input or output here."""
