"""The modules of the benchmarks."""
