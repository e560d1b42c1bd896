//! `event!`: an event struct, with the members that every event has (AG-UI 1.0, section "Fields of every event").

use crate::protocol::any_json::json::NonNull;
use crate::protocol::id::SubagentRunId;
use crate::protocol::metadata::Metadata;
use crate::protocol::number::Timestamp;

/// Declares an event struct. The word after `is` is the variant in the event table; the word in brackets is the author that the
/// event may name: `attributable` (any agent, by `subagentRunId`), `unattributed` (none), `own` (a required `subagentRunId`).
macro_rules! event {
    ($(#[$meta:meta])* pub struct $Name:ident is $Type:ident [attributable] { $($members:tt)* }) => {
        $crate::protocol::events::base::event! { @base $(#[$meta])* $Name $Type {
            $($members)*
        } {
            /// The subagent invocation that the event belongs to; absent means the parent agent.
            subagent_run_id as "subagentRunId": Option<$crate::protocol::SubagentRunId> => with_subagent_run_id,
        } }

        $crate::protocol::events::base::event! { @access $Name
            fn subagent_run_id(&self) -> Option<&$crate::protocol::SubagentRunId> {
                self.subagent_run_id.as_ref()
            }

            fn subagent_run_id_mut(&mut self) -> Option<&mut Option<$crate::protocol::SubagentRunId>> {
                Some(&mut self.subagent_run_id)
            }
        }
    };

    ($(#[$meta:meta])* pub struct $Name:ident is $Type:ident [unattributed] { $($members:tt)* }) => {
        $crate::protocol::events::base::event! { @base $(#[$meta])* $Name $Type { $($members)* } {} }

        $crate::protocol::events::base::event! { @access $Name
            fn subagent_run_id(&self) -> Option<&$crate::protocol::SubagentRunId> {
                None
            }

            fn subagent_run_id_mut(&mut self) -> Option<&mut Option<$crate::protocol::SubagentRunId>> {
                None
            }
        }
    };

    ($(#[$meta:meta])* pub struct $Name:ident is $Type:ident [own] { $($members:tt)* }) => {
        $crate::protocol::events::base::event! { @base $(#[$meta])* $Name $Type { $($members)* } {} }

        $crate::protocol::events::base::event! { @access $Name
            fn subagent_run_id(&self) -> Option<&$crate::protocol::SubagentRunId> {
                Some(&self.subagent_run_id)
            }

            fn subagent_run_id_mut(&mut self) -> Option<&mut Option<$crate::protocol::SubagentRunId>> {
                None
            }
        }
    };

    (@base $(#[$meta:meta])* $Name:ident $Type:ident { $($members:tt)* } { $($attribution:tt)* }) => {
        $crate::protocol::forms::object::object! {
            $(#[$meta])*
            pub struct $Name {
                const TYPE: "type" = $crate::protocol::EventType::$Type.as_str();
                $($members)*
                /// Event time. Never used for ordering.
                timestamp: Option<$crate::protocol::Timestamp> => with_timestamp,
                /// The model provider's event from which this event was made. No behaviour may depend on this member.
                raw_event as "rawEvent": Option<$crate::protocol::NonNull> => with_raw_event,
                /// Free data, merged into the metadata of the message or call that the event builds.
                metadata: Option<$crate::protocol::Metadata> => with_metadata,
                $($attribution)*
            }
        }
    };

    (@access $Name:ident $($attribution:tt)*) => {
        impl $crate::protocol::events::base::BaseEvent for $Name {
            fn timestamp(&self) -> &Option<$crate::protocol::Timestamp> {
                &self.timestamp
            }

            fn timestamp_mut(&mut self) -> &mut Option<$crate::protocol::Timestamp> {
                &mut self.timestamp
            }

            fn raw_event(&self) -> &Option<$crate::protocol::NonNull> {
                &self.raw_event
            }

            fn raw_event_mut(&mut self) -> &mut Option<$crate::protocol::NonNull> {
                &mut self.raw_event
            }

            fn metadata(&self) -> &Option<$crate::protocol::Metadata> {
                &self.metadata
            }

            fn metadata_mut(&mut self) -> &mut Option<$crate::protocol::Metadata> {
                &mut self.metadata
            }

            $($attribution)*
        }
    };
}

pub(in crate::protocol) use event;

/// Members that every event has, and the author.
pub(in crate::protocol) trait BaseEvent {
    fn timestamp(&self) -> &Option<Timestamp>;
    fn timestamp_mut(&mut self) -> &mut Option<Timestamp>;
    fn raw_event(&self) -> &Option<NonNull>;
    fn raw_event_mut(&mut self) -> &mut Option<NonNull>;
    fn metadata(&self) -> &Option<Metadata>;
    fn metadata_mut(&mut self) -> &mut Option<Metadata>;
    fn subagent_run_id(&self) -> Option<&SubagentRunId>;
    fn subagent_run_id_mut(&mut self) -> Option<&mut Option<SubagentRunId>>;
}
