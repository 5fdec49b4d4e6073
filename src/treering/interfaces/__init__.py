"""Where people and programs meet a memory; so far the command line."""
