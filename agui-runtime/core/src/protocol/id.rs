//! Identifiers: opaque strings, never parsed, `""` included (AG-UI 1.0, section "Model and conventions").

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use super::forms::print;
use super::forms::print::JsonPrint;
#[cfg(feature = "receive")]
use super::forms::scan::{JsonScan, JsonScanner};
use super::forms::shape::{JsonShape, ShapedType};

/// Counts id reads, comparisons and hashes, for tests that count an algorithm's steps.
pub(crate) mod looks {
    #[cfg(test)]
    thread_local! {
        static COUNT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    #[inline(always)]
    pub(super) fn count() {
        #[cfg(test)]
        COUNT.set(COUNT.get() + 1);
    }

    /// Counts the id accesses during `work` on this thread.
    #[cfg(test)]
    pub(crate) fn during(work: impl FnOnce()) -> u64 {
        let before = COUNT.get();
        work();
        COUNT.get() - before
    }
}

/// Declares identifier types: one newtype each, so that a message id cannot be passed for a run id.
macro_rules! ids {
    ($($(#[$meta:meta])* $Id:ident;)*) => { $(
        $(#[$meta])*
        ///
        /// Any string is a valid identifier, the empty one included. Cloning only counts a reference.
        #[derive(Clone, Eq)]
        pub struct $Id(Arc<str>);

        impl PartialOrd for $Id {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $Id {
            fn cmp(&self, other: &Self) -> Ordering {
                #[cfg(test)]
                looks::count();
                self.0.cmp(&other.0)
            }
        }

        impl PartialEq for $Id {
            fn eq(&self, other: &Self) -> bool {
                looks::count();
                self.0 == other.0
            }
        }

        impl Hash for $Id {
            fn hash<H: Hasher>(&self, state: &mut H) {
                looks::count();
                self.0.hash(state);
            }
        }

        impl $Id {
            /// Returns the identifier as text.
            ///
            /// ```
            #[doc = concat!("use agui_runtime::protocol::", stringify!($Id), ";")]
            #[doc = concat!("assert_eq!(", stringify!($Id), "::from(\"x-1\").as_str(), \"x-1\");")]
            /// ```
            #[must_use]
            pub fn as_str(&self) -> &str {
                looks::count();
                &self.0
            }

            /// Returns the shared text.
            #[allow(dead_code, reason = "not every kind of id is kept without its type")]
            pub(crate) fn clone_shared(&self) -> Arc<str> {
                Arc::clone(&self.0)
            }
        }

        impl From<&str> for $Id {
            fn from(text: &str) -> Self {
                Self(Arc::from(text))
            }
        }

        impl From<String> for $Id {
            fn from(text: String) -> Self {
                Self(Arc::from(text))
            }
        }

        impl From<Arc<str>> for $Id {
            fn from(text: Arc<str>) -> Self {
                Self(text)
            }
        }

        impl From<&$Id> for $Id {
            fn from(id: &$Id) -> Self {
                id.clone()
            }
        }

        impl From<$Id> for String {
            fn from(id: $Id) -> Self {
                id.as_str().to_owned()
            }
        }

        impl AsRef<str> for $Id {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl Borrow<str> for $Id {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq<str> for $Id {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $Id {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl fmt::Display for $Id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $Id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }

        #[cfg(feature = "receive")]
        impl JsonScan for $Id {
            fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
                let text = scanner.string()?;
                Some(Self(scanner.share(&text)))
            }
        }

        impl ShapedType for $Id {
            const SHAPE: JsonShape = JsonShape::Text;
        }

        impl Serialize for $Id {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl JsonPrint for $Id {
            #[inline]
            fn print(&self, out: &mut Vec<u8>) {
                print::text(self.as_str(), out);
            }

            #[inline]
            fn member(&self, start: &'static str, out: &mut Vec<u8>) {
                print::text_member(start, self.as_str(), out);
            }
        }

        impl<'de> Deserialize<'de> for $Id {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_string(SharedText).map(Self)
            }
        }
    )* };
}

ids! {
    /// A conversation, on which runs follow one another.
    ///
    /// ```
    /// use agui_runtime::protocol::ThreadId;
    ///
    /// let thread = ThreadId::from("trip-7");
    /// assert_eq!(thread, "trip-7");
    /// assert_eq!(thread.to_string(), "trip-7");
    /// ```
    ThreadId;
    /// One request on a thread and the resulting stream; an id is used once per thread. Built like a [`ThreadId`].
    RunId;
    /// A message in the conversation, or a reasoning span, whose id names no message.
    ///
    /// ```
    /// use agui_runtime::protocol::{Message, MessageId, UserMessage};
    ///
    /// let message = Message::from(UserMessage::new("u-1", "Hi"));
    /// assert_eq!(message.id(), &MessageId::from("u-1"));
    /// ```
    MessageId;
    /// One tool call. Built like a [`ThreadId`].
    ToolCallId;
    /// One subagent invocation within a run. An absent id means the parent agent; the id `""` is a subagent.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, StepStartedEvent, SubagentRunId};
    ///
    /// let event: Event = StepStartedEvent::new("plan").with_subagent_run_id("inv-1").into();
    /// assert_eq!(event.subagent_run_id(), Some(&SubagentRunId::from("inv-1")));
    /// ```
    SubagentRunId;
    /// An interrupt, unique within its run. Built like a [`ThreadId`].
    InterruptId;
}

/// Reads text directly into a shared allocation.
struct SharedText;

impl Visitor<'_> for SharedText {
    type Value = Arc<str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Arc::from(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Arc::from(text))
    }
}
