//! Encrypted values with their types, and the places that hold both (AG-UI 1.1, section "Messages").

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::message::{
    AssistantMessage, DeveloperMessage, Message, ReasoningMessage, SystemMessage, ToolCall, ToolMessage,
    UserMessage,
};
#[cfg(feature = "model")]
use crate::protocol::ProtocolVersion;

/// A value that only the model provider can read, with the kind of the value.
///
/// A client stores both with the message or the call, and returns both unchanged. The bytes do not say their kind, and a provider
/// refuses another provider's values, so the producer names the kind: `anthropic.signature`, `openai.encrypted_content`.
///
/// ```
/// use agui_runtime::protocol::EncryptedValue;
///
/// let signature = EncryptedValue::new("gAAA").with_type("anthropic.signature");
/// assert_eq!(signature.value_of_type("anthropic.signature"), Some("gAAA"));
/// assert_eq!(signature.value_of_type("anthropic.redacted_thinking"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EncryptedValue {
    /// The opaque value (`encryptedValue`).
    pub value: String,
    /// The kind of the value (`encryptedValueType`); `None` from producers that speak AG-UI 1.0.
    pub value_type: Option<String>,
}

impl EncryptedValue {
    /// Creates an [`EncryptedValue`](Self) without a type, as AG-UI 1.0 has one.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), value_type: None }
    }

    /// Sets the type. A type begins with the provider or framework that defines the kind, as in `anthropic.redacted_thinking`.
    #[must_use]
    pub fn with_type(mut self, value_type: impl Into<String>) -> Self {
        self.value_type = Some(value_type.into());
        self
    }

    /// Returns the value if it has this type: beside the value, or in a value without a type before a colon, as
    /// `anthropic.signature:gAAA`. The latter is how a client of AG-UI 1.0 stores the values of a model's provider.
    #[must_use]
    pub fn value_of_type(&self, value_type: &str) -> Option<&str> {
        match &self.value_type {
            Some(own) => (own == value_type).then_some(self.value.as_str()),
            None => self.value.strip_prefix(value_type)?.strip_prefix(':'),
        }
    }

    /// Returns the value as a client of this version can store it without loss: before 1.1 the type goes into the value.
    #[cfg(feature = "model")]
    pub(crate) fn written_for(&self, version: ProtocolVersion) -> Self {
        match &self.value_type {
            Some(value_type) if version < ProtocolVersion::V1_1 => {
                Self::new(format!("{value_type}:{}", self.value))
            }
            _ => self.clone(),
        }
    }

    /// Joins both members of an object.
    fn from_members([value, value_type]: [&Option<String>; 2]) -> Option<Self> {
        Some(Self { value: value.clone()?, value_type: value_type.clone() })
    }
}

impl From<String> for EncryptedValue {
    fn from(value: String) -> Self {
        Self::new(value)
    }
}

impl From<&str> for EncryptedValue {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

/// A value without a type is written as its text, which is how recordings of model replies had it before there were types.
impl Serialize for EncryptedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value_type {
            None => serializer.serialize_str(&self.value),
            Some(value_type) => (&self.value, value_type).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for EncryptedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged, expecting = "an encrypted value, or a list with an encrypted value and its type")]
        enum Written {
            Untyped(String),
            Typed(String, String),
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Untyped(value) => Self { value, value_type: None },
            Written::Typed(value, value_type) => Self { value, value_type: Some(value_type) },
        })
    }
}

/// The members of a message or a call that hold an encrypted value.
#[derive(Debug)]
pub(crate) struct EncryptedMembers<'m> {
    value: &'m mut Option<String>,
    value_type: &'m mut Option<String>,
}

impl EncryptedMembers<'_> {
    /// Removes a type without a value, which no producer may send. Returns true if there was one.
    fn remove_lone_type(self) -> bool {
        self.value.is_none() && self.value_type.take().is_some()
    }

    /// Replaces the value **and** its type: an old type beside new bytes would name the wrong kind.
    #[cfg(feature = "receive")]
    pub(crate) fn replace(self, value: &str, value_type: Option<&str>) {
        *self.value = Some(value.to_owned());
        *self.value_type = value_type.map(str::to_owned);
    }
}

/// Objects with both members.
macro_rules! encrypted_objects {
    ($($Object:ident)*) => { $(
        impl $Object {
            /// Returns the encrypted value with its type.
            #[must_use]
            pub fn encrypted(&self) -> Option<EncryptedValue> {
                EncryptedValue::from_members([&self.encrypted_value, &self.encrypted_value_type])
            }

            /// Sets the encrypted value and its type.
            #[must_use]
            pub fn with_encrypted(mut self, encrypted: impl Into<EncryptedValue>) -> Self {
                let EncryptedValue { value, value_type } = encrypted.into();
                (self.encrypted_value, self.encrypted_value_type) = (Some(value), value_type);
                self
            }

            pub(crate) fn encrypted_members(&mut self) -> EncryptedMembers<'_> {
                EncryptedMembers { value: &mut self.encrypted_value, value_type: &mut self.encrypted_value_type }
            }
        }
    )* };
}

encrypted_objects! {
    DeveloperMessage SystemMessage AssistantMessage UserMessage ToolMessage ReasoningMessage ToolCall
}

/// The messages among these objects: all but activities.
macro_rules! encrypted_messages {
    ($($Variant:ident)*) => {
        impl Message {
            /// Returns the encrypted value with its type; an activity has none.
            #[must_use]
            pub fn encrypted(&self) -> Option<EncryptedValue> {
                EncryptedValue::from_members(self.encrypted_texts())
            }

            /// Returns `encryptedValue` and `encryptedValueType`.
            pub(crate) fn encrypted_texts(&self) -> [&Option<String>; 2] {
                match self {
                    $(Self::$Variant(message) => [&message.encrypted_value, &message.encrypted_value_type],)*
                    Self::Activity(_) => [&None, &None],
                }
            }

            pub(crate) fn encrypted_members(&mut self) -> Option<EncryptedMembers<'_>> {
                match self {
                    $(Self::$Variant(message) => Some(message.encrypted_members()),)*
                    Self::Activity(_) => None,
                }
            }
        }
    };
}

impl Message {
    /// Removes types without a value, of the message and its calls: no producer may send one (AG-UI 1.1, section "Messages"). Returns
    /// the number of removed types.
    ///
    /// ```
    /// use agui_runtime::protocol::{Message, UserMessage};
    ///
    /// let mut message = Message::from(UserMessage::new("u", "Hi").with_encrypted_value_type("acme.signature"));
    /// assert_eq!(message.remove_lone_types(), 1);
    /// assert_eq!(message, UserMessage::new("u", "Hi").into());
    /// ```
    pub fn remove_lone_types(&mut self) -> usize {
        let mut removed = 0;
        if let Self::Assistant(message) = self {
            for call in message.tool_calls.iter_mut().flatten() {
                removed += usize::from(call.encrypted_members().remove_lone_type());
            }
        }
        let own = self.encrypted_members().is_some_and(EncryptedMembers::remove_lone_type);
        removed + usize::from(own)
    }
}

encrypted_messages! { Developer System Assistant User Tool Reasoning }
