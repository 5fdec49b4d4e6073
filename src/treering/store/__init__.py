"""The engine underneath: one SQLite database and one writer's lock in the memory's directory."""
