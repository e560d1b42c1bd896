//! The card by which clients find an agent.

use serde::{Deserialize, Serialize};

use super::null_is_default;
use crate::protocol::JsonObject;

/// An agent's description for A2A clients, at `/.well-known/agent-card.json` (A2A, section "Agent Card").
///
/// A server builds the card from the agent's manifest; [`A2aServer::card`](super::super::A2aServer::card) changes it.
///
/// ```
/// use agui_runtime::a2a::AgentCard;
///
/// let card: AgentCard = serde_json::from_str(r#"{"name":"fares","supportedInterfaces":[{"url":"https://fares.example/a2a"}]}"#)?;
/// assert_eq!((card.name.as_str(), card.capabilities.streaming), ("fares", false));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgentCard {
    /// The display name.
    pub name: String,
    /// The purpose, for people and models.
    #[serde(default, deserialize_with = "null_is_default")]
    pub description: String,
    /// The addresses, preferred first.
    #[serde(default, deserialize_with = "null_is_default")]
    pub supported_interfaces: Vec<AgentInterface>,
    /// The organization behind the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<AgentProvider>,
    /// The agent's version.
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
    /// The documentation address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
    /// The optional protocol features.
    #[serde(default, deserialize_with = "null_is_default")]
    pub capabilities: AgentCardCapabilities,
    /// Authentication schemes by name, as protocol objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security_schemes: Option<JsonObject>,
    /// Alternative authentication requirements, as protocol objects; a client must meet one.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub security_requirements: Vec<JsonObject>,
    /// Media types that the agent reads.
    #[serde(default, deserialize_with = "null_is_default")]
    pub default_input_modes: Vec<String>,
    /// Media types that the agent writes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub default_output_modes: Vec<String>,
    /// The agent's skills.
    #[serde(default, deserialize_with = "null_is_default")]
    pub skills: Vec<AgentSkill>,
    /// The icon's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
    /// Card signatures, as protocol objects. This crate neither creates nor verifies them.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<JsonObject>,
}

/// An agent address with a protocol binding (A2A, section "AgentInterface").
///
/// ```
/// use agui_runtime::a2a::AgentInterface;
///
/// let interface = AgentInterface::json_rpc("https://fares.example/a2a");
/// assert_eq!((interface.protocol_binding.as_str(), interface.protocol_version.as_str()), ("JSONRPC", "1.0"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgentInterface {
    /// The address.
    pub url: String,
    /// `JSONRPC`, `GRPC` or `HTTP+JSON`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub protocol_binding: String,
    /// The tenant that requests name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The protocol version.
    #[serde(default, deserialize_with = "null_is_default")]
    pub protocol_version: String,
}

impl AgentInterface {
    /// Builds an interface with the JSON-RPC binding, version 1.0; see [`AgentInterface`].
    #[must_use]
    pub fn json_rpc(url: impl Into<String>) -> Self {
        Self::new(url.into(), super::JSON_RPC)
    }

    /// Builds an interface with the HTTP+JSON binding, version 1.0. The address is the base above `/message:send` and `/tasks`.
    #[must_use]
    pub fn http_json(url: impl Into<String>) -> Self {
        Self::new(url.into(), super::HTTP_JSON)
    }

    fn new(url: String, binding: &str) -> Self {
        let protocol_version = super::VERSION.to_owned();
        Self { url, protocol_binding: binding.to_owned(), tenant: None, protocol_version }
    }
}

/// The organization behind an agent (A2A, section "AgentProvider").
///
/// ```
/// let provider: agui_runtime::a2a::AgentProvider =
///     serde_json::from_str(r#"{"organization":"Fares Ltd.","url":"https://fares.example"}"#)?;
/// assert_eq!(provider.organization, "Fares Ltd.");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AgentProvider {
    /// The organization's name.
    pub organization: String,
    /// The organization's address.
    pub url: String,
}

/// An agent's optional protocol features (A2A, section "AgentCapabilities").
///
/// ```
/// let capabilities: agui_runtime::a2a::AgentCardCapabilities = serde_json::from_str(r#"{"streaming":true}"#)?;
/// assert!(capabilities.streaming && !capabilities.push_notifications);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct AgentCardCapabilities {
    /// True if the agent streams.
    #[serde(deserialize_with = "null_is_default")]
    pub streaming: bool,
    /// True if the agent calls webhooks.
    #[serde(deserialize_with = "null_is_default")]
    pub push_notifications: bool,
    /// True if authenticated clients get another card.
    #[serde(deserialize_with = "null_is_default")]
    pub extended_agent_card: bool,
    /// Extensions, as protocol objects.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<JsonObject>,
}

/// An agent's skill (A2A, section "AgentSkill").
///
/// ```
/// use agui_runtime::a2a::AgentSkill;
///
/// let mut skill = AgentSkill::new("fares", "Fares", "Tells what a journey costs.");
/// skill.tags = vec!["travel".to_owned()];
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgentSkill {
    /// The id, unique within the agent.
    pub id: String,
    /// The display name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The purpose, for people and models.
    #[serde(default, deserialize_with = "null_is_default")]
    pub description: String,
    /// Keywords.
    #[serde(default, deserialize_with = "null_is_default")]
    pub tags: Vec<String>,
    /// Example messages.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// Media types that the skill reads, if they differ from the agent's.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub input_modes: Vec<String>,
    /// Media types that the skill writes, if they differ from the agent's.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub output_modes: Vec<String>,
    /// Alternative authentication requirements, as protocol objects; a client must meet one.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub security_requirements: Vec<JsonObject>,
}

impl AgentSkill {
    /// Builds an [`AgentSkill`] without keywords.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, description: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), description: description.into(), ..Self::default() }
    }
}
