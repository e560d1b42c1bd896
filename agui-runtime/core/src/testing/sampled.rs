//! Searches of this crate's own tests: whole with `AGUI_EXHAUSTIVE`, as in CI, otherwise sampled.

use std::env;

use proptest::test_runner::Config;

fn is_exhaustive() -> bool {
    env::var_os("AGUI_EXHAUSTIVE").is_some()
}

/// Returns all of the list, or every eighth element: another eighth for each number, so that each element meets many.
pub(crate) fn share<T>(all: &[T], number: usize) -> impl Iterator<Item = &T> {
    let every = if is_exhaustive() { 1 } else { 8 };
    all.iter().skip(number % every).step_by(every)
}

/// The number of cases of a property: `in_ci`, or a quarter, unless `PROPTEST_CASES` sets it.
pub(crate) fn cases(in_ci: u32) -> Config {
    let asked = env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    Config::with_cases(asked.unwrap_or(if is_exhaustive() { in_ci } else { in_ci / 4 }))
}
