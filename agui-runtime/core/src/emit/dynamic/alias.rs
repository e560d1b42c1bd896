//! New ids for spans whose own id is taken. Only repair assigns them.

use std::collections::HashMap;

use crate::protocol::{Event, SubagentRunId};

/// Id namespaces, one for each kind of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum IdSpace {
    Text,
    Thought,
    Call,
    Activity,
    Result,
    Subagent,
}

#[derive(Debug, Default)]
pub(super) struct IdAliases {
    names: HashMap<(IdSpace, String), String>,
    made: u64,
}

impl IdAliases {
    /// Assigns a new alias to an id. The argument is the original id, even if an alias exists.
    pub(super) fn rename(&mut self, space: IdSpace, name: &str) {
        self.made += 1;
        let original = self.names.iter().find(|((known, _), alias)| *known == space && *alias == name);
        let original = original.map_or_else(|| name.to_owned(), |((_, original), _)| original.clone());
        let alias = format!("{original}~{}", self.made);
        self.names.insert((space, original), alias);
    }

    pub(super) fn rewrite(&self, event: &mut Event) {
        if self.names.is_empty() {
            return;
        }
        macro_rules! set {
            ($space:ident, $id:expr) => {
                if let Some(alias) = self.names.get(&(IdSpace::$space, AsRef::<str>::as_ref(&$id).to_owned()))
                {
                    $id = alias.as_str().into();
                }
            };
        }
        match event {
            Event::TextMessageStart(e) => set!(Text, e.message_id),
            Event::TextMessageContent(e) => set!(Text, e.message_id),
            Event::TextMessageEnd(e) => set!(Text, e.message_id),
            Event::ReasoningMessageStart(e) => set!(Thought, e.message_id),
            Event::ReasoningMessageContent(e) => set!(Thought, e.message_id),
            Event::ReasoningMessageEnd(e) => set!(Thought, e.message_id),
            Event::ToolCallStart(e) => {
                set!(Call, e.tool_call_id);
                if let Some(parent) = &mut e.parent_message_id {
                    set!(Text, *parent);
                }
            }
            Event::ToolCallArgs(e) => set!(Call, e.tool_call_id),
            Event::ToolCallEnd(e) => set!(Call, e.tool_call_id),
            Event::ToolCallResult(e) => {
                set!(Call, e.tool_call_id);
                set!(Result, e.message_id);
            }
            Event::ActivitySnapshot(e) => set!(Activity, e.message_id),
            Event::ActivityDelta(e) => set!(Activity, e.message_id),
            Event::SubagentStarted(e) => {
                set!(Subagent, e.subagent_run_id);
                if let Some(parent) = &mut e.parent_subagent_run_id {
                    set!(Subagent, *parent);
                }
                if let Some(call) = &mut e.parent_tool_call_id {
                    set!(Call, *call);
                }
                if let Some(message) = &mut e.parent_message_id {
                    set!(Text, *message);
                }
            }
            Event::SubagentFinished(e) => set!(Subagent, e.subagent_run_id),
            Event::SubagentError(e) => set!(Subagent, e.subagent_run_id),
            _ => {}
        }
        if let Some(Some(tag)) = event.subagent_run_id_mut() {
            self.rewrite_tag(tag);
        }
    }

    fn rewrite_tag(&self, tag: &mut SubagentRunId) {
        if let Some(alias) = self.names.get(&(IdSpace::Subagent, tag.as_str().to_owned())) {
            *tag = alias.as_str().into();
        }
    }

    /// Returns a message's or call's present id.
    pub(super) fn name(&self, space: IdSpace, name: &str) -> Option<&str> {
        self.names.get(&(space, name.to_owned())).map(String::as_str)
    }
}
