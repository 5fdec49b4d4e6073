"""The REST door: tokens in, verbs behind, problem+json for what goes wrong. Needs the extra `server`."""
