"""Which document a file is, along the commits of a repository: the one that was first seen under some path.

A file keeps its lineage when it is renamed, and when it comes back after it was deleted. When a path is given to
another file after the first one moved away, that file is a document of its own, named by path and commit.
"""

from treering.importers.git_repository import Commit, FileChange

__all__ = ["COMMIT_CHARS", "Lineages"]

COMMIT_CHARS = 12  # of a commit's id, in ids of ours


class Lineages:
    """The lineages of all paths, while the commits go by, parents before children."""

    def __init__(self) -> None:
        self._by_path: dict[str, str] = {}
        self._moved_away: set[str] = set()

    def follow(self, commit: Commit, change: FileChange) -> str:
        """The lineage of the file that a commit changed."""
        path = change.path
        if change.status == "A" and path in self._moved_away:
            lineage = f"{path}@{commit.id[:COMMIT_CHARS]}"
        elif change.status.startswith("R") and len(change.paths_before) == 1:
            (before,) = change.paths_before
            lineage = self._by_path.get(before, before)
            self._moved_away.add(before)
        else:  # of a merge, the paths that the parents knew it by
            known = (self._by_path[before] for before in (path, *change.paths_before) if before in self._by_path)
            lineage = next(known, path)
        self._moved_away.discard(path)
        self._by_path[path] = lineage
        return lineage

    def get(self, path: str) -> str | None:
        """The lineage of the file that was last seen at a path."""
        return self._by_path.get(path)

    def within(self, prefix: str) -> set[str]:
        """The lineages of the files that ever lay in a folder ("docs/"), or at that very path."""
        return {
            lineage
            for path, lineage in self._by_path.items()
            if not prefix or path == prefix or (prefix.endswith("/") and path.startswith(prefix))
        }
