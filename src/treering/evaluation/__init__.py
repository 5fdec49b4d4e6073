"""Measuring: benchmarks in, tables out. Reaches the engine only through `treering.memory`, as any caller would."""
