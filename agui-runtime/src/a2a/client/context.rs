//! The name of a conversation at a remote agent.

use hmac_sha256::Hash as Sha256;

use crate::hex::hex;

/// The beginning of the names.
const PREFIX: &str = "agui-";

/// A conversation of this side, of which the remote agent knows the name alone.
pub(super) struct Conversation<'c> {
    /// The party that the run is for, if it names one. Threads of two parties may have the same id.
    pub(super) subject: Option<&'c str>,
    /// The name of the agent that runs.
    pub(super) agent: &'c str,
    /// The address of the remote agent.
    pub(super) remote: &'c str,
    pub(super) thread: &'c str,
    /// The path of the delegation in the run. Two delegations to one agent share nothing.
    pub(super) path: &'c str,
}

impl Conversation<'_> {
    /// Returns the `contextId`. It is the same in each run, on any server, and tells the remote agent neither the party nor the id
    /// of the thread.
    pub(super) fn id(&self) -> String {
        let Self { subject, agent, remote, thread, path } = *self;
        // No subject and an empty one differ.
        let subject = subject.map(|subject| format!("={subject}")).unwrap_or_default();
        let mut hash = Sha256::new();
        for text in [subject.as_str(), agent, remote, thread, path] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        format!("{PREFIX}{}", hex(&hash.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn conversations_that_differ_have_different_names() {
        let at =
            |subject, agent, remote, thread, path| Conversation { subject, agent, remote, thread, path }.id();
        let id = |subject, agent, remote, thread| at(subject, agent, remote, thread, "");
        let all = [
            id(None, "planner", "http://a/", "t"),
            id(Some(""), "planner", "http://a/", "t"),
            id(Some("ada"), "planner", "http://a/", "t"),
            id(Some("ada"), "writer", "http://a/", "t"),
            id(Some("ada"), "planner", "http://b/", "t"),
            id(Some("ada"), "planner", "http://a/", "u"),
            id(Some("ad"), "aplanner", "http://a/", "t"),
            at(None, "planner", "http://a/", "t", "fares:1"),
            at(None, "planner", "http://a/", "t", "fares:2"),
        ];
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert_eq!(all[0], id(None, "planner", "http://a/", "t"));
    }
}
