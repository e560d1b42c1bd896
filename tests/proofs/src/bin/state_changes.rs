//! Writes small changes of state to standard output, one on each line: `{"before", "patch", "after"}`. The peers'
//! patches are recorded from it: `cargo run -p agui-proofs --bin state_changes -- 3000`.
#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use agui_proofs::patching::nudges;

fn main() {
    let number = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(3000);
    for flush in nudges(number) {
        print!("{}", flush.line());
    }
}
