//! Many servers on one log, in virtual time: servers that freeze and come back, stores that fail, acknowledgements that are
//! lost, notices that come early or late, clients that leave and come back. Each schedule has a seed.
//!
//! `AGUI_SCHEDULES` sets the number of schedules, `AGUI_SEED` the first seed.

mod flaky;
mod judge;
mod world;

use world::World;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().unwrap())
}

#[test]
fn any_schedule_of_faults_loses_repeats_and_reorders_no_event() {
    let first = number("AGUI_SEED").unwrap_or(1);
    let count = number("AGUI_SCHEDULES").unwrap_or(200);
    let mut runs = 0;
    for seed in first..first + count {
        runs += World::run(seed);
    }
    println!("{count} schedules from seed {first}: {runs} runs");
    assert!(runs > 0);
}
