//! Nothing: the package has benchmarks alone.
