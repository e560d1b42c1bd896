//! Parameters for requests that bring a message.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::message::A2aMessage;
use super::null_is_default;
use crate::protocol::JsonObject;

/// `SendMessage` and `SendStreamingMessage` (A2A, section "Send Message").
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendMessage {
    pub(crate) message: A2aMessage,
    #[serde(default, deserialize_with = "null_is_default")]
    pub(crate) configuration: SendConfiguration,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<JsonObject>,
}

/// The client's wishes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SendConfiguration {
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub(crate) accepted_output_modes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) history_length: Option<i32>,
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) return_immediately: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) task_push_notification_config: Option<Value>,
}
