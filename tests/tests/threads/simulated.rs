//! Many servers on one log, in virtual time: any schedule of faults.
//!
//! `AGUI_SCHEDULES` sets the number of schedules, `AGUI_SEED` the first seed.

use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

use agui_tests::simulation;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().unwrap())
}

#[test]
fn any_schedule_of_faults_loses_repeats_and_reorders_no_event() {
    // Other schedules each time; a failure prints its seed.
    let first = number("AGUI_SEED").unwrap_or_else(|| RandomState::new().hash_one("schedules") >> 16);
    let count =
        number("AGUI_SCHEDULES").unwrap_or(if std::env::var_os("CI").is_some() { 4_000 } else { 300 });
    println!("{count} schedules from AGUI_SEED={first}");
    let began = Instant::now();
    let counts = simulation::run_many(first, count);
    println!("in {:?}:\n{counts}", began.elapsed());
    assert_eq!(counts.of("schedules"), count);
}
