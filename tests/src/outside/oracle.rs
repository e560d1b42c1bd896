//! The official client's parts as judges of event streams: `tests/oracle`.

use std::{path::PathBuf, time::Duration};

use serde_json::Value;

use super::{Node, finish};

const LIMIT: Duration = Duration::from_secs(300);

impl Node {
    /// Gives `jobs` to the oracle's `verify.mjs`, with its options, and returns one result for each, in order;
    /// `tests/oracle/README.md` describes both.
    #[must_use]
    pub fn verify(&self, options: &[&str], jobs: &[Value]) -> Vec<Value> {
        self.oracle("verify.mjs", options, jobs)
    }

    /// Gives recorded streams to whole clients of older versions: jobs and results as `clients/replay.mjs` describes them.
    #[must_use]
    pub fn replay(&self, jobs: &[Value]) -> Vec<Value> {
        self.oracle("../node/clients/replay.mjs", &[], jobs)
    }

    /// Runs a script of `tests/oracle` that answers each line of its input with one line.
    #[must_use]
    pub fn oracle(&self, script: &str, options: &[&str], jobs: &[Value]) -> Vec<Value> {
        let mut command = self.command(PathBuf::from("../oracle").join(script));
        command.args(options);
        let input: String = jobs.iter().map(|job| format!("{job}\n")).collect();
        let finished = finish(command, &input, LIMIT).assert_success();
        let results: Result<Vec<Value>, _> = finished.stdout.lines().map(serde_json::from_str).collect();
        let results = results.unwrap_or_else(|cause| panic!("{cause}: {finished}"));
        assert_eq!(results.len(), jobs.len(), "one result per job: {finished}");
        for result in &results {
            assert!(result.get("failure").is_none(), "the oracle could not use a job: {result}");
        }
        results
    }
}
