//! JSON-RPC 2.0 requests and responses (A2A, section "JSON-RPC Protocol Binding").

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::error::ProtocolError;

/// A request. The parameters stay text until the method is known.
#[derive(Debug, Deserialize)]
pub(crate) struct RpcRequest {
    #[serde(default)]
    pub(crate) jsonrpc: Value,
    #[serde(default)]
    pub(crate) id: RpcId,
    #[serde(default)]
    pub(crate) method: Value,
    #[serde(default)]
    pub(crate) params: Option<Box<RawValue>>,
}

/// A request id: a number, a text or `null`. The response to any other id has `null` (JSON-RPC 2.0, section "Response object").
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct RpcId(Value);

impl<'de> Deserialize<'de> for RpcId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = Value::deserialize(deserializer)?;
        let is_id = id.is_string() || id.is_i64() || id.is_u64();
        Ok(Self(if is_id { id } else { Value::Null }))
    }
}

/// Writes a successful response.
pub(crate) fn rpc_result<T: Serialize>(id: &RpcId, result: &T) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Response<'r, T> {
        jsonrpc: &'static str,
        id: &'r RpcId,
        result: &'r T,
    }

    serde_json::to_vec(&Response { jsonrpc: "2.0", id, result })
}

/// Returns an error response.
pub(crate) fn rpc_error(id: &RpcId, error: &ProtocolError) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": error.rpc() })
}
