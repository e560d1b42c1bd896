//! A2A 1.0 messages in JSON form (A2A, sections "Protocol Data Model", "JSON-RPC Protocol Binding" and "HTTP+JSON/REST Protocol
//! Binding").
//!
//! Readers accept what ProtoJSON allows and peers send: unknown members are ignored, and `null` is an absent member.

mod card;
#[cfg(feature = "server")]
mod error;
mod message;
mod part;
#[cfg(feature = "server")]
mod query;
mod request;
#[cfg(feature = "server")]
mod rpc;
mod task;
mod update;

pub use card::{AgentCard, AgentCardCapabilities, AgentInterface, AgentProvider, AgentSkill};
#[cfg(feature = "server")]
pub(crate) use error::{ErrorCode, ProtocolError};
pub use message::{A2aMessage, A2aRole};
pub use part::{A2aPart, A2aPartContent};
#[cfg(feature = "server")]
pub(crate) use query::{CancelTask, GetTask, ListTasks, SubscribeToTask, TaskList};
pub(crate) use request::SendMessage;
#[cfg(feature = "server")]
pub(crate) use rpc::{RpcId, RpcRequest, rpc_error, rpc_result};
pub use task::{A2aArtifact, A2aTask, TaskState, TaskStatus};
pub(crate) use update::A2aUpdate;
#[cfg(feature = "server")]
pub(crate) use update::{ArtifactUpdate, StatusUpdate};

use serde::{Deserialize, Deserializer};

/// The protocol version, and the header that names it (A2A, section "Versioning").
pub(crate) const VERSION: &str = "1.0";
pub(crate) const VERSION_HEADER: &str = "a2a-version";

/// Binding names in a card.
pub(crate) const JSON_RPC: &str = "JSONRPC";
pub(crate) const HTTP_JSON: &str = "HTTP+JSON";

/// Reads `null` as the member's default.
fn null_is_default<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
