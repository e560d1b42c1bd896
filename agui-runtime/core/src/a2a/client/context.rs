//! Conversation names at a remote agent.

use hmac_sha256::Hash as Sha256;

use crate::hex::hex;

/// Prefix for the names.
const PREFIX: &str = "agui-";

/// A conversation on this side; the remote agent sees only a name.
pub(super) struct RemoteConversation<'c> {
    /// The party that the run acts for, if known. Two parties' threads may have equal ids.
    pub(super) subject: Option<&'c str>,
    /// The running agent's name.
    pub(super) agent: &'c str,
    /// The remote agent's address.
    pub(super) remote: &'c str,
    pub(super) thread: &'c str,
    /// The delegation's path in the run. Two delegations to one agent share nothing.
    pub(super) path: &'c str,
}

impl RemoteConversation<'_> {
    /// Returns the `contextId`: the same in each run and on any server, and a hash, so that the remote agent learns neither party
    /// nor thread id.
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
        let at = |subject, agent, remote, thread, path| {
            RemoteConversation { subject, agent, remote, thread, path }.id()
        };
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
