//! The example `cluster`: nodes are killed while a conversation goes on, and nothing that was shown is lost.

use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Finished, built, finish};
use agui_tests::report::report;

use crate::postgres::Schema;

/// The turns, and the number of words in as many sentences of the tale.
const TURNS: usize = 4;
const WORDS: usize = 65;
const LIMIT: Duration = Duration::from_secs(120);

fn run(database: Option<&str>) -> Finished {
    let mut command = Command::new(built("cluster"));
    // The first choices of this seed kill a node, and then Postgres.
    command.args(["--turns", &TURNS.to_string(), "--seed", "3"]).env_remove("DATABASE_URL");
    command.envs(database.map(|url| ("DATABASE_URL", url)));
    finish(command, "", LIMIT).assert_success()
}

/// The numbers of the summary: turns, killed nodes, kills of Postgres, cuts, lost runs, messages, words.
fn summary(finished: &Finished) -> Vec<usize> {
    let last = finished.stdout.trim_end().lines().last().unwrap_or_default();
    assert!(last.ends_with(" words; all kept"), "{finished}");
    last.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// Returns the number of times that Postgres was killed.
fn assert_kept(finished: &Finished) -> usize {
    let [turns, kills, database, cuts, lost, messages, words] = summary(finished)[..] else {
        panic!("{finished}")
    };
    report(format_args!(
        "cluster: {kills} nodes killed, {database} times Postgres, {cuts} cuts, {lost} runs lost, {words} words: all kept"
    ));
    assert_eq!(turns, TURNS);
    assert!(kills > 0, "{finished}");
    assert!(messages >= 2 * TURNS, "{finished}");
    // There are more if a node is killed between two steps of the agent: it says a word again, or begins the next sentence.
    assert!(words >= WORDS, "{finished}");
    assert_eq!(finished.stdout.matches("-- killed node").count(), kills);
    assert_eq!(finished.stdout.matches("the run was lost").count(), lost);
    assert_eq!(finished.stdout.matches("-- killed Postgres").count(), database);
    database
}

#[test]
fn words_on_the_screen_outlive_their_nodes() {
    let database = need!(Schema::shared());
    assert_eq!(assert_kept(&run(Some(&database.url()))), 0, "it is not the example's own");
}

#[test]
fn the_example_starts_a_postgres_of_its_own() {
    // This is here to know that there is one.
    drop(need!(Schema::shared()));
    let finished = run(None);
    assert!(assert_kept(&finished) > 0, "{finished}");
}
