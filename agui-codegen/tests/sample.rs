//! The part of a search that runs each day.

/// The distance between the elements of a list that a test takes: all with `AGUI_EXHAUSTIVE`, as in CI, otherwise every eighth.
pub fn stride() -> usize {
    if std::env::var_os("AGUI_EXHAUSTIVE").is_some() { 1 } else { 8 }
}

pub fn sampled<T>(all: &[T]) -> impl Iterator<Item = &T> {
    all.iter().step_by(stride())
}
