//! Many servers on one log: any schedule of faults, in virtual time.
//!
//! `AGUI_SCHEDULES` sets the number of schedules, `AGUI_SEED` the first seed.

use std::env;
use std::time::Instant;

use agui_tests::report::report;
use agui_tests::simulation;

#[test]
fn a_seed_has_one_schedule() {
    let first = simulation::first_seed();
    for seed in first..first + 20 {
        let [one, two] = [(), ()].map(|()| simulation::run(seed).to_string());
        assert_eq!(one, two, "AGUI_SEED={seed}");
    }
}

#[test]
fn any_schedule_of_faults_loses_repeats_and_reorders_no_event() {
    // Other schedules each time; a failure prints its seed.
    let first = simulation::first_seed();
    let count = simulation::count_or(if env::var_os("CI").is_some() { 2_500 } else { 300 });
    let began = Instant::now();
    let counts = simulation::run_many(first, count);
    report(format_args!("{count} schedules from AGUI_SEED={first} in {:?}:\n{counts}", began.elapsed()));
    assert_eq!(counts.of("schedules"), count);
}
