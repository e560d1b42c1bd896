//! Judges event streams as our client does: one JSON job on each line of standard input, one verdict on each line of
//! standard output, both as `tests/oracle/README.md` describes them.
//!
//! ```console
//! $ echo '[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"REASONING_END","messageId":"x"}]' \
//!     | cargo run -q -p agui-proofs --bin judge -- --only verify --terse
//! {"line":1,"verify":{"accepted":false,…,"code":"V_REASONING_SPAN_NOT_OPEN","at":1}}
//! ```
//!
//! `--only` names parts of the verdict, separated by commas: verify, enforce, expand, check, pipeline, compact. `--wire
//! proto` sends the events to the whole client over the binary transport. `--terse` leaves events out.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use agui_tests::verdict::{Asked, verdict};
use serde_json::{Map, Value, json};

fn main() -> ExitCode {
    match judge() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "{problem}");
            ExitCode::from(2)
        }
    }
}

fn judge() -> Result<(), String> {
    let asked = Asked::parse(std::env::args().skip(1))?;
    let mut out = io::stdout().lock();
    for (index, line) in io::stdin().lock().split(b'\n').enumerate() {
        let line = line.map_err(|cause| cause.to_string())?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut said = Map::from_iter([("line".to_owned(), json!(index + 1))]);
        let judged = serde_json::from_slice::<Value>(&line)
            .map_err(|cause| cause.to_string())
            .and_then(|job| verdict(&job, &asked));
        match judged {
            Ok(Value::Object(parts)) => said.extend(parts),
            Ok(other) => drop(said.insert("failure".to_owned(), other)),
            Err(problem) => drop(said.insert("failure".to_owned(), json!(problem))),
        }
        writeln!(out, "{}", Value::Object(said)).map_err(|cause| cause.to_string())?;
    }
    Ok(())
}
