//! The ids of events, and the spaces to which they belong: the vocabulary for the event table's column `ids`.

use super::event::Event;
use super::table::event_table;
use crate::protocol::id::{MessageId, RunId, SubagentRunId, ThreadId, ToolCallId};

/// Ids in one space name the same kind of entity: one string may be the id of a text, and also of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum IdSpace {
    Thread,
    Run,
    Text,
    ReasoningSpan,
    ReasoningMessage,
    ToolCall,
    /// The message that a call's result becomes.
    ToolResult,
    Activity,
    Subagent,
    /// A message or a call; another member names the kind.
    Entity,
}

/// A member that holds an id, or none.
trait IdMember {
    fn rename<'n>(&mut self, space: IdSpace, name: &impl Fn(IdSpace, &str) -> Option<&'n str>);
}

impl<I: IdMember> IdMember for Option<I> {
    fn rename<'n>(&mut self, space: IdSpace, name: &impl Fn(IdSpace, &str) -> Option<&'n str>) {
        if let Some(id) = self {
            id.rename(space, name);
        }
    }
}

macro_rules! id_members {
    ($($Id:ident)*) => { $(
        impl IdMember for $Id {
            fn rename<'n>(&mut self, space: IdSpace, name: &impl Fn(IdSpace, &str) -> Option<&'n str>) {
                if let Some(new) = name(space, self.as_ref()) {
                    *self = new.into();
                }
            }
        }
    )* };
}

id_members! { String ThreadId RunId MessageId ToolCallId SubagentRunId }

/// Makes [`Event::rename_ids`] from the table.
macro_rules! define_ids {
    ($(
        $WIRE:ident $Variant:ident($Struct:ident) since $since:ident order $order:tt
            ids($($member:ident: $space:ident),*) proto $proto:tt
            $($column:ident: $form:ident),+;
    )*) => {
        impl Event {
            /// Replaces ids by the ids that `name` returns for them. The tag is an id too.
            pub(crate) fn rename_ids<'n>(&mut self, name: impl Fn(IdSpace, &str) -> Option<&'n str>) {
                match self {
                    $(Self::$Variant(_event) => { $(_event.$member.rename(IdSpace::$space, &name);)* })*
                }
                if let Some(tag) = self.subagent_run_id_mut() {
                    tag.rename(IdSpace::Subagent, &name);
                }
            }
        }

        /// The members with ids of each event.
        #[cfg(all(test, feature = "receive"))]
        pub(super) const ID_MEMBERS: &[(&str, &[&str])] =
            &[$((stringify!($WIRE), &[$(stringify!($member)),*]),)*];
    };
}

event_table!(define_ids);
