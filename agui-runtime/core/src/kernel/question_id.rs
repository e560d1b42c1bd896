//! Ids of typed interrupts: `reason#nonce#call`, for a subagent `reason#agent/nonce#call`. A run leaves no memory of its
//! interrupts, so the id names the reason, the agent and the call; the nonce, which [`Ids`](super::Ids) makes, tells repeated
//! interrupts apart.

use crate::protocol::InterruptId;

/// Parsed id of a typed interrupt. An id in another form belongs to an untyped interrupt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedInterruptId<'i> {
    pub(crate) reason: &'i str,
    /// Path of the agent that raised the interrupt; empty for the run's own agent.
    pub(crate) agent: &'i str,
    nonce: &'i str,
    /// Id of the call that the interrupt is about, or empty.
    pub(crate) call: &'i str,
}

impl<'i> TypedInterruptId<'i> {
    pub(crate) fn from_id(id: &'i InterruptId) -> Option<Self> {
        // The id of a call may contain any character.
        let mut parts = id.as_str().splitn(3, '#');
        let (reason, agent_and_nonce, call) = (parts.next()?, parts.next()?, parts.next()?);
        let (agent, nonce) = agent_and_nonce.rsplit_once('/').unwrap_or(("", agent_and_nonce));
        let (_, number) = nonce.rsplit_once("-interrupt-")?;
        number.parse::<u64>().ok()?;
        Some(Self { reason, agent, nonce, call })
    }

    /// Returns the id that [`Ids::interrupt`](super::Ids::interrupt) made.
    pub(crate) fn nonce(&self) -> String {
        unescape(self.nonce)
    }
}

/// Builds an interrupt id; `call` is empty if the interrupt is about no call.
pub(crate) fn typed_interrupt_id(reason: &str, agent: &str, nonce: &InterruptId, call: &str) -> InterruptId {
    let nonce = escape(nonce.as_str());
    match agent {
        "" => format!("{reason}#{nonce}#{call}").into(),
        path => format!("{reason}#{path}/{nonce}#{call}").into(),
    }
}

/// Escapes the characters that end a part of an id: as in RFC 6901, and `#` too.
pub(crate) fn escape(text: &str) -> String {
    text.replace('~', "~0").replace('/', "~1").replace('#', "~2")
}

pub(crate) fn unescape(text: &str) -> String {
    text.replace("~2", "#").replace("~1", "/").replace("~0", "~")
}
