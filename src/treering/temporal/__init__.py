"""What holds when: supersession, consolidation, labels and dated triples; all derived, all judged within the bounds."""
