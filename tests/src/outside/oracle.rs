//! The official client's parts as judges of event streams: `tests/oracle`.

use std::{path::PathBuf, process::Command, time::Duration};

use serde_json::Value;

use super::{Node, finish, running_script};

const LIMIT: Duration = Duration::from_secs(300);

impl Node {
    /// Gives `jobs` to the oracle's `verify.mjs`, with its options, and returns one result for each, in order;
    /// `tests/oracle/README.md` describes both.
    #[must_use]
    pub fn verify(&self, options: &[&str], jobs: &[Value]) -> Vec<Value> {
        self.running("verify.mjs", options, jobs)
    }

    /// Gives recorded streams to whole clients of older versions: jobs and results as `clients/replay.mjs` describes them.
    #[must_use]
    pub fn replay(&self, jobs: &[Value]) -> Vec<Value> {
        self.running("../node/clients/replay.mjs", &[], jobs)
    }

    /// Runs a script of `tests/oracle` that answers each line of its input with one line, to its end.
    #[must_use]
    pub fn oracle(&self, script: &str, options: &[&str], jobs: &[Value]) -> Vec<Value> {
        let input: String = jobs.iter().map(|job| format!("{job}\n")).collect();
        let finished = finish(self.script(script, options), &input, LIMIT).assert_success();
        answers(jobs, finished.stdout.lines())
    }

    /// The same with a script that answers each line at once, and is kept running for all tests of a program.
    fn running(&self, script: &str, options: &[&str], jobs: &[Value]) -> Vec<Value> {
        let lines: Vec<String> = jobs.iter().map(Value::to_string).collect();
        answers(jobs, running_script::ask(self.script(script, options), &lines).iter().map(String::as_str))
    }

    fn script(&self, script: &str, options: &[&str]) -> Command {
        let mut command = self.command(PathBuf::from("../oracle").join(script));
        command.args(options);
        command
    }
}

fn answers<'a>(jobs: &[Value], lines: impl Iterator<Item = &'a str>) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|cause| panic!("{cause}: {line}"));
    let results: Vec<Value> = lines.map(read).collect();
    assert_eq!(results.len(), jobs.len(), "one result per job: {results:?}");
    for result in &results {
        assert!(result.get("failure").is_none(), "the oracle could not use a job: {result}");
    }
    results
}
