//! Times by rounds: every contender in every round, so that a disturbance hits all alike, and ratios are of one round.

use std::time::Instant;

/// How often, and how long.
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

/// The nanoseconds of one call, averaged over a round; what `prepare` takes is left out.
pub fn average<C>(
    times: usize,
    context: &mut C,
    mut prepare: impl FnMut(&mut C),
    mut run: impl FnMut(&mut C) -> usize,
) -> f64 {
    let mut nanoseconds = 0;
    for _ in 0..times {
        prepare(context);
        let start = Instant::now();
        std::hint::black_box(run(context));
        nanoseconds += start.elapsed().as_nanos();
    }
    (nanoseconds as f64 / times as f64 - clock()).max(0.1)
}

/// What asking for the time takes itself.
fn clock() -> f64 {
    static CLOCK: std::sync::OnceLock<f64> = std::sync::OnceLock::new();
    *CLOCK.get_or_init(|| {
        let times = 10_000;
        let total: u128 = (0..times).map(|_| Instant::now().elapsed().as_nanos()).sum();
        total as f64 / f64::from(times)
    })
}

/// The middle one.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A time as people read it.
pub fn spelled(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1_000.0 => format!("{n:.0} ns"),
        n if n < 1_000_000.0 => format!("{:.2} us", n / 1_000.0),
        n => format!("{:.2} ms", n / 1_000_000.0),
    }
}
