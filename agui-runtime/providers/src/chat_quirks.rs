//! Differences between Chat Completions and the servers that imitate the API.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::native_output::NativeOutput;

/// The members that a server refuses, and the forms that a server wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChatQuirks {
    /// False if the server refuses `stream_options`. Such a server counts tokens without being asked.
    pub(super) stream_options: bool,
    /// The value of `tool_choice` for a turn that must call some tool.
    pub(super) must_call: &'static str,
    /// True if a call's id must have nine letters or digits.
    pub(super) has_short_ids: bool,
    /// The requests in which the server takes a schema for the reply (`response_format`).
    pub(super) output: NativeOutput,
}

impl ChatQuirks {
    pub(super) const OPENAI: Self = Self {
        stream_options: true,
        must_call: "required",
        has_short_ids: false,
        output: NativeOutput::Always,
    };
    /// A server that imitates OpenAI, and may ignore or refuse a schema.
    pub(super) const IMITATOR: Self = Self { output: NativeOutput::Never, ..Self::OPENAI };
    /// An imitator whose grammar for a schema leaves no place for calls.
    pub(super) const GRAMMAR: Self = Self { output: NativeOutput::WithoutTools, ..Self::OPENAI };
    pub(super) const MISTRAL: Self = Self {
        stream_options: false,
        must_call: "any",
        has_short_ids: true,
        output: NativeOutput::WithoutTools,
    };

    /// Returns a call's id as the server accepts it. A conversation has ids from other providers, and from the client.
    pub(super) fn call_id<'i>(&self, id: &'i str) -> Cow<'i, str> {
        let is_accepted =
            !self.has_short_ids || (id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()));
        if is_accepted { id.into() } else { short_id(id).into() }
    }
}

/// Returns nine letters and digits, the same for each request: the call and its result must have one id.
fn short_id(id: &str) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let mut rest = hasher.finish();
    let mut short = String::with_capacity(9);
    for _ in 0..9 {
        let digit = usize::try_from(rest % 62).unwrap_or_default();
        short.extend(DIGITS.get(digit).copied().map(char::from));
        rest /= 62;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_where_it_must_be() {
        assert_eq!(ChatQuirks::OPENAI.call_id("call_8"), "call_8");
        assert_eq!(ChatQuirks::MISTRAL.call_id("D681PevKs"), "D681PevKs");
        for other in ["call_8", "", "toolu_01A09q90qw90lq917835lq9", "ÄÄÄÄÄÄÄÄÄ", "D681-evKs"] {
            let short = ChatQuirks::MISTRAL.call_id(other);
            assert!(short.len() == 9 && short.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{short}");
            assert_eq!(short, ChatQuirks::MISTRAL.call_id(other), "the result has the call's id");
            assert_ne!(short, ChatQuirks::MISTRAL.call_id("call_9"));
        }
    }
}
