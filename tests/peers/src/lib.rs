//! An empty library: the package has only benchmarks.
