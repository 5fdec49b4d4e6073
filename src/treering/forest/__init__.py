"""The forests: one tree a channel, an actor, an artifact and a thread, all over the leaves of one log."""
