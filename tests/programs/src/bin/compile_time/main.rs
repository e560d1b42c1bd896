//! The cost of our macros and our crate for the compiler, beside the same by hand and with rmcp, in seconds of
//! processor time.
//!
//! ```console
//! $ cargo run -p agui-programs --bin compile_time                  # all rows, about an hour on two idle cores
//! $ cargo run -p agui-programs --bin compile_time -- check build   # only these
//! $ cargo run -p agui-programs --bin compile_time -- recipe tests  # what contributors wait for
//! $ cargo run -p agui-programs --bin compile_time -- --clone ../older recipe provider hello features
//! ```
//!
//! | row | measured | goal |
//! |---|---|---|
//! | `check` | `cargo check` of a crate with 50 tools, its dependencies checked before | 1.2 times schemars by hand |
//! | `build` | `cargo build` of it, its dependencies built before | 1.2 times schemars by hand |
//! | `cold` | `cargo build` of it and all dependencies, without `server` | 2.5 times schemars by hand |
//! | `server` | the same with `server` | rmcp with its server |
//! | `state` | the cost that `#[derive(State)]` adds to 200 structs, in a release build | the cost that serde's derives add |
//! | `recipe` | `cargo build -p recipe` of this workspace, from nothing | see [`everyday`] |
//! | `provider`, `hello`, `features` | a change of a model provider, a small server from nothing, CI's checks of features | see [`everyday`] |
//! | `install` | `agui-codegen`, as `cargo install` builds the program from source | see [`everyday`] |
//! | `tests` | `cargo test` of this workspace, from nothing, then once more | see [`everyday`] |
//!
//! Ends with an error where a goal is missed. Nothing is built incrementally: dependencies from a registry never are, and
//! ours is measured as if it came from one.
#![allow(clippy::print_stdout, reason = "it is what the program is for")]
#![allow(clippy::panic, reason = "a failure must be visible to the caller")]

mod everyday;
mod package;
mod programs;
mod state;

use std::path::PathBuf;
use std::process::ExitCode;

use agui_programs::workspace_dir;
use everyday::MeasuredClone;
use package::{Package, Verb};
use programs::{by_hand, ours, ours_with_server, rmcp, rmcp_with_server};

const ROWS: [&str; 11] = [
    "check", "build", "cold", "server", "state", "recipe", "provider", "hello", "install", "features",
    "tests",
];

fn main() -> ExitCode {
    let mut asked: Vec<String> = std::env::args().skip(1).collect();
    let mut clone = MeasuredClone::new(workspace_dir().to_owned());
    if let [option, folder, ..] = asked.as_slice()
        && option == "--clone"
    {
        clone = MeasuredClone::new(PathBuf::from(folder));
        asked.drain(..2);
    }
    if let Some(unknown) = asked.iter().find(|row| !ROWS.contains(&row.as_str())) {
        println!("there is no row `{unknown}`; there is: {}", ROWS.join(", "));
        return ExitCode::FAILURE;
    }
    let rows = ROWS.into_iter().filter(|row| asked.is_empty() || asked.iter().any(|asked| asked == row));
    // Every row is measured, also after a row that missed its goal.
    let missed: Vec<&str> = rows.filter(|row| !is_met(row, &clone)).collect();
    if missed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("missed: {}", missed.join(", "));
    ExitCode::FAILURE
}

fn is_met(row: &str, clone: &MeasuredClone) -> bool {
    match row {
        "check" => compare(row, Package::crate_alone, Verb::Check, 5, &[ours(), by_hand(), rmcp()], 1.2),
        "build" => compare(row, Package::crate_alone, Verb::Build, 5, &[ours(), by_hand(), rmcp()], 1.2),
        "cold" => compare(row, Package::cold, Verb::Build, 2, &[ours(), by_hand(), rmcp()], 2.5),
        "server" => {
            compare(row, Package::cold, Verb::Build, 2, &[ours_with_server(), rmcp_with_server()], 1.0)
        }
        "state" => state::is_met(),
        "recipe" => clone.recipe_is_met(),
        "install" => clone.install_is_met(),
        "tests" => clone.tests_are_met(),
        _ => {
            match row {
                "hello" => clone.print_hello(),
                "provider" => clone.print_provider(),
                _ => clone.print_features(),
            }
            true
        }
    }
}

/// Prints the seconds of all packages, each the least of several rounds: what else the machine does only adds to them. Returns
/// true if the time of the first, divided by the time of the second, is within the goal.
fn compare<const N: usize>(
    row: &str,
    measure: fn(&Package, Verb) -> f64,
    verb: Verb,
    rounds: usize,
    packages: &[Package; N],
    goal: f64,
) -> bool {
    let mut seconds = [f64::INFINITY; N];
    for _ in 0..rounds {
        for (package, least) in packages.iter().zip(&mut seconds) {
            *least = least.min(measure(package, verb));
        }
    }
    let all: Vec<_> =
        packages.iter().zip(seconds).map(|(package, took)| format!("{} {took:.1} s", package.name)).collect();
    let [ours, other, ..] = seconds.as_slice() else { panic!("a row has two packages or more") };
    let ratio = ours / other;
    let verdict = if ratio <= goal { "pass" } else { "MISS" };
    println!("{row:7} {}: {ratio:.2} times {}, goal {goal}: {verdict}", all.join(", "), packages[1].name);
    ratio <= goal
}
