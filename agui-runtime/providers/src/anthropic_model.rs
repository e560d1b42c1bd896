//! Anthropic options that differ between model versions.

use serde_json::{Map, Value, json};

use super::options::ReasoningEffort;

/// An Anthropic model, parsed from its name.
pub(super) struct AnthropicModel<'n> {
    /// The family in the name, or an empty string.
    family: &'n str,
    /// Major and minor version, as in `claude-sonnet-4-5` and `claude-3-5-haiku`.
    version: (u32, u32),
}

const FAMILIES: [&str; 5] = ["opus", "sonnet", "haiku", "fable", "mythos"];

impl<'n> AnthropicModel<'n> {
    pub(super) fn from_name(name: &'n str) -> Self {
        let family = name.split(|c: char| !c.is_ascii_alphabetic()).find(|word| FAMILIES.contains(word));
        Self { family: family.unwrap_or_default(), version: version(name) }
    }

    /// Returns the model's output token limit, which every request must state. Source: Anthropic's model overview.
    pub(super) fn max_tokens(&self) -> u32 {
        match (self.family, self.version) {
            ("opus", (4, 8..) | (5.., _)) | ("haiku", (5.., _)) | ("fable" | "mythos", _) => 128_000,
            ("opus", (4, 0..=4)) => 32_000,
            ("sonnet" | "haiku", (3, 5..=6)) => 8192,
            (_, (1..=2, _)) | ("opus" | "haiku", (3, _)) | ("sonnet", (3, 0..=4)) => 4096,
            _ => 64_000,
        }
    }

    /// True if the model takes a schema for its reply (`output_config.format`). Source: Anthropic's structured outputs.
    pub(super) fn has_structured_output(&self) -> bool {
        match self.family {
            "opus" => self.version >= (4, 1),
            "" => false,
            _ => self.version >= (4, 5),
        }
    }

    /// True if the model loads tools by reference. Source: Anthropic's tool search.
    pub(super) fn has_deferred_tools(&self) -> bool {
        !self.family.is_empty() && self.version >= (4, 5) || matches!(self.family, "fable" | "mythos")
    }

    /// True if the model takes a reasoning effort and chooses its own budget; other models take a token budget.
    fn is_adaptive(&self) -> bool {
        match self.family {
            "opus" | "sonnet" => self.version >= (4, 6),
            "haiku" => self.version >= (5, 0),
            "fable" | "mythos" => true,
            _ => false,
        }
    }

    /// Writes the reasoning options.
    pub(super) fn write_reasoning(&self, effort: ReasoningEffort, body: &mut Map<String, Value>) {
        let thinking = match (budget(effort), self.is_adaptive()) {
            // Not thinking is what others do when the member is not there.
            (None, _) if self.version >= (5, 0) && matches!(self.family, "opus" | "sonnet") => {
                json!({ "type": "disabled" })
            }
            (None, _) => return,
            (Some(budget), true) => {
                let config = body.entry("output_config").or_insert_with(|| json!({}));
                if let Value::Object(config) = config {
                    config.insert("effort".to_owned(), level(budget).into());
                }
                json!({ "type": "adaptive", "display": "summarized" })
            }
            (Some(budget), false) => json!({ "type": "enabled", "budget_tokens": budget }),
        };
        body.insert("thinking".to_owned(), thinking);
    }
}

/// Returns the version in a name. Longer numbers are dates.
fn version(name: &str) -> (u32, u32) {
    let parts: Vec<_> = name.split(|c: char| !c.is_ascii_alphanumeric()).map(number).collect();
    let Some(at) = parts.iter().position(Option::is_some) else { return (0, 0) };
    let number = |at: usize| parts.get(at).copied().flatten().unwrap_or(0);
    (number(at), number(at + 1))
}

fn number(part: &str) -> Option<u32> {
    part.parse().ok().filter(|number| *number < 100)
}

const LOW: u32 = 1024;
const MEDIUM: u32 = 8000;
const HIGH: u32 = 24_000;

fn budget(effort: ReasoningEffort) -> Option<u32> {
    match effort {
        ReasoningEffort::Off => None,
        ReasoningEffort::Low => Some(LOW),
        ReasoningEffort::Medium => Some(MEDIUM),
        ReasoningEffort::High => Some(HIGH),
        ReasoningEffort::Tokens(tokens) => Some(tokens),
    }
}

fn level(budget: u32) -> &'static str {
    match budget {
        ..MEDIUM => "low",
        MEDIUM..HIGH => "medium",
        HIGH.. => "high",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_may_be_as_long_as_the_model_allows() {
        for (name, tokens) in [
            ("claude-fable-5", 128_000),
            ("claude-haiku-5-5", 128_000),
            ("claude-opus-5", 128_000),
            ("claude-opus-4-8", 128_000),
            ("claude-opus-4-7", 64_000),
            ("claude-opus-4-5-20251101", 64_000),
            ("claude-opus-4-1", 32_000),
            ("claude-opus-4-20250514", 32_000),
            ("claude-3-opus-20240229", 4096),
            ("claude-sonnet-4-5", 64_000),
            ("claude-3-7-sonnet-latest", 64_000),
            ("claude-3-5-sonnet-20241022", 8192),
            ("eu.anthropic.claude-haiku-4-5-v1:0", 64_000),
            ("claude-3-haiku-20240307", 4096),
            ("claude-2.1", 4096),
            ("another", 64_000),
        ] {
            assert_eq!(AnthropicModel::from_name(name).max_tokens(), tokens, "{name}");
        }
    }

    #[test]
    fn newer_models_think_as_much_as_they_need_within_an_effort() {
        let thinks = |name: &str, effort| {
            let mut body = Map::new();
            AnthropicModel::from_name(name).write_reasoning(effort, &mut body);
            Value::Object(body)
        };
        let adaptive = json!({ "type": "adaptive", "display": "summarized" });
        assert_eq!(
            thinks("claude-opus-4-6", ReasoningEffort::Tokens(9000)),
            json!({ "thinking": adaptive, "output_config": { "effort": "medium" } })
        );
        assert_eq!(
            thinks("claude-sonnet-5", ReasoningEffort::High),
            json!({ "thinking": adaptive, "output_config": { "effort": "high" } })
        );
        assert_eq!(
            thinks("claude-sonnet-4-5", ReasoningEffort::Low),
            json!({ "thinking": { "type": "enabled", "budget_tokens": 1024 } })
        );
        assert_eq!(
            thinks("claude-opus-5", ReasoningEffort::Off),
            json!({ "thinking": { "type": "disabled" } })
        );
        for quiet in ["claude-sonnet-4-6", "claude-mythos-5", "claude-3-opus"] {
            assert_eq!(thinks(quiet, ReasoningEffort::Off), json!({}), "{quiet}");
        }
    }
}
