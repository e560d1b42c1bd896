//! Processes with an agent that are killed or stopped at each of their writes, over SQLite.

use agui_tests::kept::killed::kill_at_every_write;
use agui_tests::kept::pair::one_of_two_at_every_write;
use agui_tests::kept::process;
use agui_tests::report::report;

use crate::file::{files, open};

/// Serves until it is killed, if this test is run as a process of another.
#[test]
fn a_process_that_serves() {
    process::serve(open);
}

#[test]
fn a_process_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    let folder = process::Folder::new("sqlite");
    let kills = kill_at_every_write("killed::a_process_that_serves", files(&folder), open);
    report(format_args!("SQLite: {kills}"));
}

#[test]
fn a_process_that_is_killed_or_stopped_at_any_write_while_another_goes_on_loses_and_repeats_nothing() {
    let folder = process::Folder::new("sqlite");
    let pairs = one_of_two_at_every_write("killed::a_process_that_serves", files(&folder), open);
    report(format_args!("SQLite: {pairs}"));
}
