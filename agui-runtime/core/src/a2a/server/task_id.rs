//! Task ids, which contain thread and run: a server on any machine finds a task by id alone.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::Hash as Sha256;

use crate::hex::hex;
use crate::protocol::RunId;

/// Prefix for run ids of tasks.
const PREFIX: &str = "a2a-";

/// Number of hex digits after the prefix.
const DIGITS: usize = 32;

/// A task id: the task's first run, and the thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaskId {
    thread: String,
    first: String,
}

/// A text that is no task id from this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForeignTaskId;

impl TaskId {
    /// Returns the task that a message starts. A message sent again starts the same task.
    pub(crate) fn begun_by(thread: &str, message: &str) -> Self {
        Self { thread: thread.to_owned(), first: format!("{PREFIX}{}", digits(message)) }
    }

    /// Returns a run's task; `None` if A2A did not start the run.
    pub(crate) fn of_run(thread: &str, run: &RunId) -> Option<Self> {
        let (first, _) = run.as_str().split_once('.').unwrap_or((run.as_str(), ""));
        is_first(first).then(|| Self { thread: thread.to_owned(), first: first.to_owned() })
    }

    /// Parses the id that a client sends.
    pub(crate) fn read(text: &str) -> Result<Self, ForeignTaskId> {
        let (first, thread) = text.split_once('.').ok_or(ForeignTaskId)?;
        let thread = URL_SAFE_NO_PAD.decode(thread).ok().and_then(|thread| String::from_utf8(thread).ok());
        let thread = thread.filter(|_| is_first(first)).ok_or(ForeignTaskId)?;
        Ok(Self { thread, first: first.to_owned() })
    }

    pub(crate) fn thread(&self) -> &str {
        &self.thread
    }

    /// Returns the run that starts the task.
    pub(crate) fn first_run(&self) -> RunId {
        self.first.as_str().into()
    }

    /// Returns the run that continues the task with a message.
    pub(crate) fn run_of(&self, message: &str) -> RunId {
        format!("{}.{}", self.first, digits(message)).into()
    }

    /// Returns the run that cancels the task.
    pub(crate) fn cancelling_run(&self) -> RunId {
        format!("{}.cancel", self.first).into()
    }

    /// True if the run belongs to the task.
    pub(crate) fn has(&self, run: &RunId) -> bool {
        let rest = run.as_str().strip_prefix(self.first.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.first, URL_SAFE_NO_PAD.encode(&self.thread))
    }
}

fn digits(message: &str) -> String {
    let mut digits = hex(&Sha256::hash(message.as_bytes()));
    digits.truncate(DIGITS);
    digits
}

fn is_first(run: &str) -> bool {
    let digits = run.strip_prefix(PREFIX).map(str::as_bytes);
    digits.is_some_and(|digits| digits.len() == DIGITS && digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        for thread in ["t", "", "a/b.c ü", "a2a-7"] {
            let id = TaskId::begun_by(thread, "m-1");
            let text = id.to_string();
            assert_eq!(TaskId::read(&text).as_ref(), Ok(&id), "{text}");
            assert!(
                text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)),
                "{text}"
            );
            assert_eq!(TaskId::of_run(thread, &id.run_of("m-2")), Some(id.clone()));
            assert!(id.has(&id.first_run()) && id.has(&id.run_of("m-2")) && id.has(&id.cancelling_run()));
            assert!(!id.has(&TaskId::begun_by(thread, "m-2").first_run()));
        }
    }

    #[test]
    fn other_texts_are_no_ids() {
        let text = TaskId::begun_by("t", "m").to_string();
        let (first, _) = text.split_once('.').unwrap();
        for other in [
            "",
            ".",
            "t-1",
            first,
            &text[1..],
            &format!("{first}.%"),
            &format!("{first}0.dA"),
            &format!("{first}._w"),
        ] {
            assert_eq!(TaskId::read(other), Err(ForeignTaskId), "{other}");
        }
        for run in ["", "r-1", "a2a-7", "a2a-xyz.cancel"] {
            assert_eq!(TaskId::of_run("t", &run.into()), None, "{run}");
        }
    }
}
