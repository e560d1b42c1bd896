//! The effects of agents, which outlive the servers that run them.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use agui_runtime::ToolCtx;

use super::Conversation;

/// An effect outside of all servers.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    pub thread: String,
    pub question: String,
    pub run: String,
}

/// The effects of all servers.
#[derive(Debug, Default)]
pub struct Ledger {
    /// By the key of the call.
    pub effects: Mutex<HashMap<String, Effect>>,
    /// In order.
    pub answered: Mutex<Vec<Answered>>,
    /// A file with a line for each effect, which outlives the process.
    file: Option<PathBuf>,
}

impl Ledger {
    /// Keeps the effects in a file besides.
    #[must_use]
    pub fn in_file(path: PathBuf) -> Self {
        Self { file: Some(path), ..Self::default() }
    }

    /// Reads the file of processes that were killed.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        let ledger = Self::default();
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            let [key, thread, run, call] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let [thread, run, call] = [thread, run, call].map(str::to_owned);
            ledger.add(key.to_owned(), Effect { count: 0, thread, run, call, is_certain: true });
        }
        ledger
    }

    fn add(&self, key: String, effect: Effect) {
        self.effects.lock().unwrap().entry(key).or_insert(effect).count += 1;
    }

    /// Keeps the effect of a call, and returns its result.
    pub(super) fn note(&self, call: &ToolCtx, is_certain: bool) -> String {
        let key = call.idempotency_key();
        let result = result(call.run_id().as_str(), &key);
        let effect = Effect {
            count: 0,
            thread: call.thread_id().to_string(),
            run: call.run_id().to_string(),
            call: call.tool_call_id().to_string(),
            is_certain,
        };
        if let Some(path) = &self.file {
            let line = [&key, &effect.thread, &effect.run, &effect.call].map(String::as_str).join("\t");
            let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
        self.add(key, effect);
        result
    }

    /// Returns the effects of one thread.
    #[must_use]
    pub fn of(&self, thread: &str) -> Self {
        let effects = self.effects.lock().unwrap();
        let effects = effects.iter().filter(|(_, effect)| effect.thread == thread);
        let effects = effects.map(|(key, effect)| (key.clone(), effect.clone())).collect();
        let answered = self.answered.lock().unwrap();
        let answered = answered.iter().filter(|answered| answered.thread == thread).cloned().collect();
        Self { effects: Mutex::new(effects), answered: Mutex::new(answered), file: None }
    }

    /// Returns true if an agent acted upon the answer to a question, of which the wire has a longer name.
    pub fn has_answer_to(&self, wire: &str) -> bool {
        self.answered.lock().unwrap().iter().any(|answered| wire.starts_with(&answered.question))
    }

    /// Judges the effects by all conversations that there ever were. Returns the number of calls that ran again.
    ///
    /// Fails if a tool ran twice under one key though no other server went on with its run while the call had no result;
    /// if one call ran under two keys; if a tool ran whose call the log does not have; if a call did not run again; and if two runs acted upon one answer.
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
        for Answered { question, run, .. } in &*answered {
            let by_others = answered.iter().filter(|other| other.question == *question && other.run != *run);
            assert_eq!(by_others.count(), 0, "{question} was answered by two runs: {answered:?}");
            let restarts: usize = conversations.iter().map(|whole| whole.restarts(run)).sum();
            let times = answered.iter().filter(|other| other.question == *question).count();
            assert!(
                times <= 1 + restarts,
                "{question} was answered {times} times, and its run restarted {restarts}"
            );
        }
    }
}

/// The result of a call of the tool.
fn result(run: &str, key: &str) -> String {
    format!("{run} {key}")
}
