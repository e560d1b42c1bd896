//! The effects of agents, and the answers upon which they acted. Both outlive the servers that run the agents.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use agui_runtime::ToolCtx;
use serde::{Deserialize, Serialize};

use super::Conversation;

/// An effect outside of all servers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Effect {
    /// The number of times that the tool ran.
    pub count: usize,
    pub thread: String,
    pub run: String,
    pub call: String,
    /// True if the agent may be run again: then the log has the call before the tool runs.
    pub is_certain: bool,
}

/// An answer upon which an agent acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub thread: String,
    pub question: String,
    pub run: String,
    /// True if the user approved, as all users do.
    pub approves: Option<bool>,
}

impl Answered {
    /// Returns true for the answer to a question. Its id on the wire has a signature too.
    fn is_to(&self, wire: &str) -> bool {
        wire.starts_with(&self.question)
    }
}

/// A line of the file of a ledger.
#[derive(Serialize, Deserialize)]
enum Line {
    Effect(String, Effect),
    Answered(Answered),
}

/// The effects and the answers of all servers.
#[derive(Debug, Default)]
pub struct Ledger {
    /// By the key of the call.
    pub effects: Mutex<HashMap<String, Effect>>,
    /// In order.
    pub answered: Mutex<Vec<Answered>>,
    /// A file with a line for each effect and each answer, which outlives the process.
    file: Option<PathBuf>,
}

impl Ledger {
    /// Records effects and answers in a file too.
    #[must_use]
    pub fn in_file(path: PathBuf) -> Self {
        Self { file: Some(path), ..Self::default() }
    }

    /// Reads the file of processes that were killed.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        let ledger = Self::default();
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            match serde_json::from_str(line).unwrap() {
                Line::Effect(key, effect) => ledger.add(key, effect),
                Line::Answered(answered) => ledger.answered.lock().unwrap().push(answered),
            }
        }
        ledger
    }

    fn add(&self, key: String, effect: Effect) {
        self.effects.lock().unwrap().entry(key).or_insert(effect).count += 1;
    }

    fn write(&self, line: &Line) {
        let Some(path) = &self.file else { return };
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        let line = serde_json::to_string(line).unwrap() + "\n";
        // One write: processes share the file.
        file.write_all(line.as_bytes()).unwrap();
    }

    /// Records an answer upon which an agent acts.
    pub(super) fn record_answer(&self, answered: Answered) {
        self.write(&Line::Answered(answered.clone()));
        self.answered.lock().unwrap().push(answered);
    }

    /// Records the effect of a call, and returns its result.
    pub(super) fn record(&self, call: &ToolCtx, is_certain: bool) -> String {
        let key = call.idempotency_key();
        let result = result(call.run_id().as_str(), &key);
        let effect = Effect {
            count: 0,
            thread: call.thread_id().to_string(),
            run: call.run_id().to_string(),
            call: call.tool_call_id().to_string(),
            is_certain,
        };
        self.write(&Line::Effect(key.clone(), effect.clone()));
        self.add(key, effect);
        result
    }

    /// Returns the effects and the answers of one thread.
    #[must_use]
    pub fn of(&self, thread: &str) -> Self {
        let effects = self.effects.lock().unwrap();
        let effects = effects.iter().filter(|(_, effect)| effect.thread == thread);
        let effects = effects.map(|(key, effect)| (key.clone(), effect.clone())).collect();
        let answered = self.answered.lock().unwrap();
        let answered = answered.iter().filter(|answered| answered.thread == thread).cloned().collect();
        Self { effects: Mutex::new(effects), answered: Mutex::new(answered), file: None }
    }

    /// Returns true if an agent acted upon the answer to a question.
    pub fn has_answer_to(&self, wire: &str) -> bool {
        self.answered.lock().unwrap().iter().any(|answered| answered.is_to(wire))
    }

    /// Judges effects and answers by all conversations that there ever were. Returns the number of calls that ran again.
    ///
    /// Fails if
    ///
    /// - a tool ran twice under one key, though no other server went on with its run while the call had no result;
    /// - one call ran under two keys;
    /// - a tool ran, and the log does not have its call;
    /// - another server went on with a run, and did not run its open call again;
    /// - an agent acted upon an answer that the claim of its run did not use up;
    /// - an agent acted upon an answer more than once, though no other server went on with its run;
    /// - a run used an answer up and succeeded, or the log has a text or a call of it, and its agent did not act upon the
    ///   answer, or upon another one. The agent acts before it begins either. A run that failed before has no such trace: its
    ///   agent may not have come so far.
    pub fn judge(&self, conversations: &[Conversation]) -> usize {
        let effects = self.effects.lock().unwrap();
        let mut again = 0;
        for (key, effect) in &*effects {
            let found = conversations.iter().find_map(|whole| {
                let call = whole.calls.get(&effect.call).filter(|call| call.run == effect.run)?;
                Some((call, whole))
            });
            assert!(
                !effect.is_certain || found.is_some_and(|(call, _)| call.is_complete),
                "{effect:?} is not in the log"
            );
            let most = 1 + found.map_or(0, |(call, _)| call.takeovers);
            assert!(
                effect.count <= most,
                "a tool ran {} times under the key {key}, at most {most}",
                effect.count
            );
            if let Some((call, _)) = found.filter(|(call, _)| {
                call.result.as_deref().is_some_and(|result| result.contains(key.as_str()))
            }) {
                again += usize::from(call.takeovers > 0 && effect.count > 1);
            }
        }
        let by_call: HashMap<_, _> =
            effects.iter().map(|(key, effect)| ((&effect.run, &effect.call), key)).collect();
        assert_eq!(by_call.len(), effects.len(), "a call has two keys: {effects:?}");
        for whole in conversations {
            for (id, call) in whole
                .calls
                .iter()
                .filter(|(_, call)| call.takeovers > 0 && whole.succeeded.contains(&call.run))
            {
                let key = by_call
                    .get(&(&call.run, id))
                    .unwrap_or_else(|| panic!("the call {id} did not run again"));
                let expected = result(&call.run, key);
                assert_eq!(call.result.as_deref(), Some(&*expected), "the call {id} has another result");
            }
        }
        self.judge_answers(conversations);
        again
    }

    fn judge_answers(&self, conversations: &[Conversation]) {
        let answered = self.answered.lock().unwrap();
        for answer in &*answered {
            let Answered { question, run, .. } = answer;
            let consumed = conversations.iter().flat_map(|whole| &whole.consumed);
            let claims: Vec<_> =
                consumed.filter(|(wire, _)| answer.is_to(wire)).map(|(_, run)| run).collect();
            assert_eq!(claims, [run], "{answer:?} was used up by other claims");
            let restarts: usize = conversations.iter().map(|whole| whole.restarts(run)).sum();
            let times = answered.iter().filter(|other| other.question == *question).count();
            assert!(
                times <= 1 + restarts,
                "{question} was answered {times} times, and its run restarted {restarts}"
            );
        }
        for whole in conversations {
            let has_acted = |run: &String| whole.succeeded.contains(run) || whole.spoke.contains(run);
            let consumed = whole.consumed.iter().filter(|(_, run)| has_acted(run));
            for (wire, run) in consumed {
                let answer = answered.iter().find(|answer| answer.is_to(wire) && answer.run == *run);
                let approves = answer.and_then(|answer| answer.approves);
                assert_eq!(approves, Some(true), "{run} used up {wire}, and its agent acted upon {answer:?}");
            }
        }
    }
}

/// The result of a call of the tool.
fn result(run: &str, key: &str) -> String {
    format!("{run} {key}")
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use bytes::Bytes;

    use super::*;

    /// A thread whose second run answers the question of the first and fails after `events`.
    fn failed_after(events: &[&'static str]) -> Conversation {
        let before = [
            r#"{"control":"claimed","run":"r1"}"#,
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"q.signature","reason":"confirm_send"}]}}"#,
            r#"{"control":"claimed","run":"r2","answers":["q.signature"]}"#,
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#,
        ];
        let end = r#"{"type":"RUN_ERROR","message":"no ink","code":"internal"}"#;
        let records =
            before.iter().chain(events).copied().chain([end]).map(|text| Bytes::from_static(text.as_bytes()));
        Conversation::read(&(1..).zip(records).collect::<Vec<_>>()).unwrap()
    }

    fn is_accepted(ledger: &Ledger, whole: Conversation) -> bool {
        catch_unwind(AssertUnwindSafe(|| ledger.judge(&[whole]))).is_ok()
    }

    #[test]
    fn a_failed_run_that_spoke_has_acted_upon_its_answer() {
        let said = [
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
        ];
        assert!(is_accepted(&Ledger::default(), failed_after(&[])), "the agent may not have come so far");
        assert!(!is_accepted(&Ledger::default(), failed_after(&said)), "the answer is lost");
        let ledger = Ledger::default();
        let names = ["t", "q", "r2"].map(str::to_owned);
        let [thread, question, run] = names;
        ledger.record_answer(Answered { thread, question, run, approves: Some(true) });
        assert!(is_accepted(&ledger, failed_after(&said)));
    }
}
