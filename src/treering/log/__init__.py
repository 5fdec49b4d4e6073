"""Records in and out: the immutable log, its versions, its two hashes."""
