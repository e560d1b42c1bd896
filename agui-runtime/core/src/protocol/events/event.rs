//! Any event, and its type, made from the event table.

use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess};
use serde::ser::{Serialize, Serializer};

use super::base::BaseEvent;
use super::operands::MemberOperand;
use super::scope_id::ScopeId;
use super::table::event_table;
use crate::protocol::forms::members::ReadMembers;
use crate::protocol::forms::print::JsonPrint;
#[cfg(feature = "receive")]
use crate::protocol::forms::scan::{JsonScanner, ScanMembers};
use crate::protocol::forms::shape::{JsonShape, ShapedType, UnionShape};
use crate::protocol::forms::string_set::string_set;
use crate::protocol::forms::union::{TaggedUnion, UnionMembers};
use crate::protocol::forms::{members, union};
use crate::protocol::*;

/// Makes [`Event`] and [`EventType`] from names and orders.
macro_rules! define_events {
    ($(
        $WIRE:ident $Variant:ident($Struct:ident) since $since:ident
            order($family:ident, $effect:ident $(($scope:ident))? $(by $key:ident)? $(with $($operand:ident = $member:ident),+)?)
            ids $ids:tt proto $proto:tt $($column:ident: $form:ident),+;
    )*) => {
        string_set! {
            /// An event's type: the value of the member `type`.
            ///
            /// ```
            /// use agui_runtime::protocol::{EventType, EventFamily};
            ///
            /// assert_eq!(EventType::RunStarted.as_str(), "RUN_STARTED");
            /// assert_eq!("CUSTOM".parse(), Ok(EventType::Custom));
            /// assert_eq!(EventType::Custom.family(), EventFamily::Passthrough);
            /// assert!(EventType::ALL.contains(&EventType::Custom));
            /// ```
            pub enum EventType: "event type" {
                $(
                    #[doc = concat!("`", stringify!($WIRE), "`: [`", stringify!($Struct), "`].")]
                    $Variant = stringify!($WIRE),
                )*
            }
        }

        impl EventType {
            /// Returns the event type's family.
            #[must_use]
            pub const fn family(self) -> EventFamily {
                match self { $(Self::$Variant => EventFamily::$family,)* }
            }

            /// Returns the first version that has events of this type.
            ///
            /// ```
            /// use agui_runtime::protocol::{EventType, ProtocolVersion};
            ///
            /// assert_eq!(EventType::SubagentStarted.since(), ProtocolVersion::V1_0);
            /// ```
            #[must_use]
            pub const fn since(self) -> ProtocolVersion {
                match self { $(Self::$Variant => ProtocolVersion::$since,)* }
            }

            /// Returns how an event with this type affects stream order.
            #[must_use]
            pub const fn effect(self) -> EventEffect {
                match self { $(Self::$Variant => EventEffect::$effect $((SpanKind::$scope))?,)* }
            }
        }

        /// Any event in a stream.
        ///
        /// Exhaustive on purpose: an event from a later protocol version is a compile error wherever events are handled.
        /// Deserializing drops unknown members; an unknown type is an error that names the type.
        ///
        /// ```
        /// use agui_runtime::protocol::{Event, EventType};
        ///
        /// let event: Event = serde_json::from_str(r#"{"type":"STEP_STARTED","stepName":"plan"}"#).unwrap();
        /// assert_eq!(event.event_type(), EventType::StepStarted);
        /// assert_eq!(event.scope_id(), Some("plan"));
        ///
        /// let error = serde_json::from_str::<Event>(r#"{"type":"META"}"#).unwrap_err();
        /// assert!(error.to_string().starts_with("unknown event type `META`"));
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Event {
            $(
                #[doc = concat!("`", stringify!($WIRE), "`")]
                $Variant($Struct),
            )*
        }

        $(
            impl From<$Struct> for Event {
                fn from(event: $Struct) -> Self {
                    Self::$Variant(event)
                }
            }
        )*

        impl Event {
            /// Returns the event type.
            #[must_use]
            pub const fn event_type(&self) -> EventType {
                match self { $(Self::$Variant(_) => EventType::$Variant,)* }
            }

            /// Returns the id that the effect applies to: a message, call, span or subagent id, or a step name. `None` for effects
            /// without an id, and for a continuing chunk without one.
            #[must_use]
            pub fn scope_id(&self) -> Option<&str> {
                match self { $(Self::$Variant(event) => define_events!(@key event $($key)?),)* }
            }

            /// Like [`scope_id`](Self::scope_id), but owned; cloning an id only counts a reference.
            pub(crate) fn shared_scope_id(&self) -> Option<Arc<str>> {
                match self { $(Self::$Variant(event) => define_events!(@shared event $($key)?),)* }
            }

            /// Returns the other members that the effect depends on.
            #[must_use]
            pub fn operands(&self) -> EventOperands<'_> {
                match self { $(Self::$Variant(event) => define_events!(@operands event $($($operand $member)+)?),)* }
            }

            /// Returns the subagent invocation that the event belongs to, or is about. `None` means the parent agent.
            #[must_use]
            pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
                match self { $(Self::$Variant(event) => event.subagent_run_id(),)* }
            }

            pub(in crate::protocol) fn base(&self) -> &dyn BaseEvent {
                match self { $(Self::$Variant(event) => event,)* }
            }

            pub(in crate::protocol) fn base_mut(&mut self) -> &mut dyn BaseEvent {
                match self { $(Self::$Variant(event) => event,)* }
            }
        }

        impl Serialize for Event {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$Variant(event) => event.serialize(serializer),)* }
            }
        }

        impl JsonPrint for Event {
            #[inline]
            fn print(&self, out: &mut Vec<u8>) {
                match self { $(Self::$Variant(event) => event.print(out),)* }
            }
        }

        impl Event {
            /// Scans an event directly into `place`. An event is large, and returning an event through several results would move
            /// it again and again.
            #[cfg(feature = "receive")]
            #[inline]
            pub(crate) fn scan_into<E>(
                scanner: &mut JsonScanner<'_>,
                place: &mut Result<Option<Self>, E>,
            ) -> Option<()> {
                let (tag, tag_key) = scanner.tag("type", ",\"type\":")?;
                match tag {
                    $(stringify!($WIRE) => {
                        let event = ScanMembers::scan_members(scanner, tag_key)?;
                        *place = Ok(Some(Self::$Variant(event)));
                    })*
                    _ => return None,
                }
                Some(())
            }
        }

        impl ShapedType for Event {
            const SHAPE: JsonShape = JsonShape::Union(&UnionShape {
                key: <Self as TaggedUnion>::KEY,
                variants: &[$((stringify!($WIRE), &<$Struct as ShapedType>::SHAPE),)*],
            });
        }

        impl ReadMembers for Event {
            const EXPECTING: &'static str = "an event";

            fn read_members<'de, A: MapAccess<'de>>(members: A) -> Result<Self, A::Error> {
                union::read_tagged(members)
            }
        }

        impl TaggedUnion for Event {
            const KEY: &'static str = "type";

            fn read<'de, A: MapAccess<'de>>(tag: &str, members: UnionMembers<'de, A>) -> Result<Self, A::Error> {
                match tag.parse().map_err(A::Error::custom)? {
                    $(EventType::$Variant => ReadMembers::read_members(members).map(Self::$Variant),)*
                }
            }
        }
    };

    (@key $event:ident) => {{
        let _ = $event;
        None
    }};
    (@key $event:ident $key:ident) => { $event.$key.scope_id() };

    (@shared $event:ident) => {{
        let _ = $event;
        None
    }};
    (@shared $event:ident $key:ident) => { $event.$key.shared() };

    (@operands $event:ident) => {{
        let _ = $event;
        EventOperands::default()
    }};
    (@operands $event:ident $($operand:ident $member:ident)+) => {
        EventOperands { $($operand: MemberOperand::from_member(&$event.$member),)+ ..EventOperands::default() }
    };
}

event_table!(define_events);

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        members::read_object(deserializer)
    }
}
