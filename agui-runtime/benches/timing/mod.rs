//! Times by rounds: every contender in every round, so that a disturbance hits all alike, and ratios are of one round.

use std::time::Instant;

/// The number and the length of rounds.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    pub fast: usize,
    pub slow: usize,
}

impl Effort {
    pub const FULL: Self = Self { rounds: 21, fast: 400, slow: 12 };
    pub const QUICK: Self = Self { rounds: 3, fast: 20, slow: 1 };
}

/// The nanoseconds of one call, the median of a round: other load falls on few calls. The time of `prepare` is left
/// out.
pub fn middle<C>(
    times: usize,
    context: &mut C,
    mut prepare: impl FnMut(&mut C),
    mut run: impl FnMut(&mut C) -> usize,
) -> f64 {
    let calls = (0..times).map(|_| {
        prepare(context);
        let start = Instant::now();
        std::hint::black_box(run(context));
        start.elapsed().as_nanos() as f64
    });
    (median(calls) - clock()).max(0.1)
}

/// The cost of reading the clock.
fn clock() -> f64 {
    static CLOCK: std::sync::OnceLock<f64> = std::sync::OnceLock::new();
    *CLOCK.get_or_init(|| median((0..10_000).map(|_| Instant::now().elapsed().as_nanos() as f64)))
}

/// The median.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A time for people.
pub fn spelled(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1_000.0 => format!("{n:.0} ns"),
        n if n < 1_000_000.0 => format!("{:.2} us", n / 1_000.0),
        n => format!("{:.2} ms", n / 1_000_000.0),
    }
}
