//! The ids of typed questions: `reason#nonce#call`, a subagent's `reason#asker/nonce#call`. Nobody remembers a question between
//! runs, so its id says what was asked, who asked it, and about which call; the nonce, which [`Ids`](super::Ids) makes, says which
//! time.

use crate::protocol::InterruptId;

/// An id of that form, taken apart. What has another form is an untyped question's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuestionId<'i> {
    pub(crate) reason: &'i str,
    /// The path of who asked; empty for the run's own agent.
    pub(crate) asker: &'i str,
    nonce: &'i str,
    /// The id of the call it is about; empty where it is about none.
    pub(crate) call: &'i str,
}

impl<'i> QuestionId<'i> {
    pub(crate) fn of(id: &'i InterruptId) -> Option<Self> {
        // The id of a call may hold anything.
        let mut parts = id.as_str().splitn(3, '#');
        let (reason, who_and_when, call) = (parts.next()?, parts.next()?, parts.next()?);
        let (asker, nonce) = who_and_when.rsplit_once('/').unwrap_or(("", who_and_when));
        let (_, number) = nonce.rsplit_once("-interrupt-")?;
        number.parse::<u64>().ok()?;
        Some(Self { reason, asker, nonce, call })
    }

    /// What [`Ids::interrupt`](super::Ids::interrupt) gave.
    pub(super) fn nonce(&self) -> String {
        unescape(self.nonce)
    }
}

/// The id of a question; the call is empty where it is about none.
pub(super) fn question_id(reason: &str, asker: &str, nonce: &InterruptId, call: &str) -> InterruptId {
    let nonce = escape(nonce.as_str());
    match asker {
        "" => format!("{reason}#{nonce}#{call}").into(),
        path => format!("{reason}#{path}/{nonce}#{call}").into(),
    }
}

/// Text without the characters that end a part of an id: as RFC 6901 has it, and `#` besides.
pub(super) fn escape(text: &str) -> String {
    text.replace('~', "~0").replace('/', "~1").replace('#', "~2")
}

fn unescape(text: &str) -> String {
    text.replace("~2", "#").replace("~1", "/").replace("~0", "~")
}
