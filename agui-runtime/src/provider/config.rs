//! The text that names a model, and the key that belongs to it.

use super::dialect::Dialect;
use super::opaque::Seal;

/// The error of a text that names no usable model.
///
/// ```
/// use agui_runtime::provider::{HostedModel, ModelConfigError};
///
/// let error = HostedModel::with_keys("anthropic:claude-sonnet-4-5", |_| None).unwrap_err();
/// assert_eq!(error.to_string(), "the model of `anthropic` needs a key in ANTHROPIC_API_KEY");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelConfigError {
    /// The environment names no model.
    #[error("AGUI_MODEL is not set: write `openai:…`, `anthropic:…`, `gemini:…`, `ollama:…` or an address")]
    Unset,
    /// The text has another form.
    #[error("`{0}` names no model: write `provider:model`, or `https://…#model`")]
    Malformed(String),
    /// There is no such provider.
    #[error(
        "there is no model provider `{0}`: there are `openai`, `openai-chat`, `anthropic`, `gemini`, `ollama`"
    )]
    UnknownProvider(String),
    /// The provider needs a key.
    #[error("the model of `{provider}` needs a key in {variable}")]
    MissingKey {
        /// The name of the provider.
        provider: String,
        /// The name of the variable that must have the key.
        variable: &'static str,
    },
    /// The connections cannot be set up.
    #[error("the connection to the model provider cannot be set up")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The model that a text names.
pub(super) struct Target {
    pub(super) dialect: Dialect,
    pub(super) provider: String,
    pub(super) model: String,
    /// The address that the paths of the protocol are added to; it ends with `/`.
    pub(super) address: String,
    pub(super) key: Option<String>,
}

/// A known provider.
struct Known {
    name: &'static str,
    dialect: Dialect,
    address: &'static str,
    key: Option<&'static str>,
}

static KNOWN: [Known; 5] = [
    Known {
        name: "openai",
        dialect: Dialect::OpenAiResponses,
        address: "https://api.openai.com/v1/",
        key: Some("OPENAI_API_KEY"),
    },
    Known {
        name: "openai-chat",
        dialect: Dialect::OpenAiChat,
        address: "https://api.openai.com/v1/",
        key: Some("OPENAI_API_KEY"),
    },
    Known {
        name: "anthropic",
        dialect: Dialect::Anthropic,
        address: "https://api.anthropic.com/v1/",
        key: Some("ANTHROPIC_API_KEY"),
    },
    Known {
        name: "gemini",
        dialect: Dialect::Gemini,
        address: "https://generativelanguage.googleapis.com/v1beta/",
        key: Some("GEMINI_API_KEY"),
    },
    Known { name: "ollama", dialect: Dialect::OpenAiChat, address: "http://127.0.0.1:11434/v1/", key: None },
];

impl Target {
    /// Reads the text that names a model. `variable` returns the value of a variable of the environment.
    pub(super) fn read(
        spec: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelConfigError> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let malformed = || ModelConfigError::Malformed(crate::quoted::quoted(spec).to_string());
        if is_address(spec) {
            let (address, model) =
                spec.split_once('#').filter(|(_, model)| !model.is_empty()).ok_or_else(malformed)?;
            let host = address.split('/').nth(2).filter(|host| !host.is_empty()).ok_or_else(malformed)?;
            return Ok(Self {
                dialect: Dialect::OpenAiChat,
                provider: host.to_ascii_lowercase(),
                model: model.to_owned(),
                address: folder(address),
                key: variable("AGUI_MODEL_KEY"),
            });
        }
        let (provider, rest) = spec.split_once(':').ok_or_else(malformed)?;
        let Some(known) = KNOWN.iter().find(|known| known.name == provider) else {
            return Err(ModelConfigError::UnknownProvider(crate::quoted::quoted(provider).to_string()));
        };
        let (model, address) = match rest.rsplit_once('@').filter(|(_, address)| is_address(address)) {
            Some((model, address)) => (model, folder(address)),
            None => (rest, known.address.to_owned()),
        };
        if model.is_empty() {
            return Err(malformed());
        }
        let address =
            match variable("OLLAMA_HOST").filter(|_| known.name == "ollama" && address == known.address) {
                Some(host) if is_address(&host) => format!("{}v1/", folder(&host)),
                Some(host) => format!("{}v1/", folder(&format!("http://{host}"))),
                None => address,
            };
        let key = match known.key {
            None => None,
            Some(name) => Some(variable(name).ok_or_else(|| ModelConfigError::MissingKey {
                provider: provider.to_owned(),
                variable: name,
            })?),
        };
        // Both protocols of OpenAI are one provider: its usage is counted together.
        let provider = provider.trim_end_matches("-chat").to_owned();
        Ok(Self { dialect: known.dialect, provider, model: model.to_owned(), address, key })
    }
}

impl Target {
    /// Returns the mark of what goes back to this server alone.
    pub(super) fn seal(&self) -> Seal {
        Seal::of_server(&self.address, self.known_address())
    }

    /// Returns true for servers that imitate Chat Completions.
    pub(super) fn is_imitator(&self) -> bool {
        self.dialect == Dialect::OpenAiChat
            && Some(self.address.as_str()) != known("openai-chat").map(|known| known.address)
    }

    fn known_address(&self) -> Option<&'static str> {
        KNOWN
            .iter()
            .find(|known| known.dialect == self.dialect && known.address == self.address)
            .map(|known| known.address)
    }
}

fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

fn folder(address: &str) -> String {
    if address.ends_with('/') { address.to_owned() } else { format!("{address}/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(spec: &str) -> Result<String, String> {
        let keys = |name: &str| match name {
            "OPENAI_API_KEY" | "GEMINI_API_KEY" | "AGUI_MODEL_KEY" => Some(format!("key of {name}")),
            "ANTHROPIC_API_KEY" => Some(" ".to_owned()),
            _ => None,
        };
        let target = Target::read(spec, &keys).map_err(|error| error.to_string())?;
        let Target { dialect, provider, model, address, key } = target;
        Ok(format!("{dialect:?} {provider} {model} {address} {}", key.unwrap_or_default()))
    }

    #[test]
    fn a_text_names_a_model() {
        for (spec, expected) in [
            (
                "openai:gpt-5-mini",
                "OpenAiResponses openai gpt-5-mini https://api.openai.com/v1/ key of OPENAI_API_KEY",
            ),
            ("openai-chat:a", "OpenAiChat openai a https://api.openai.com/v1/ key of OPENAI_API_KEY"),
            ("gemini:g@http://h:1/x", "Gemini gemini g http://h:1/x/ key of GEMINI_API_KEY"),
            ("ollama:qwen3:8b", "OpenAiChat ollama qwen3:8b http://127.0.0.1:11434/v1/ "),
            (
                "https://LLM.example.com/v1#m",
                "OpenAiChat llm.example.com m https://LLM.example.com/v1/ key of AGUI_MODEL_KEY",
            ),
        ] {
            assert_eq!(read(spec).as_deref(), Ok(expected), "{spec}");
        }
    }

    #[test]
    fn other_texts_and_missing_keys_are_errors() {
        for (spec, expected) in [
            ("anthropic:claude", "needs a key in ANTHROPIC_API_KEY"),
            ("gpt-5", "`gpt-5` names no model"),
            ("openai:", "names no model"),
            ("openai:@https://a", "names no model"),
            ("https://a/v1", "names no model"),
            ("https://a/v1#", "names no model"),
            ("https:///v1#m", "names no model"),
            ("mistral:m", "there is no model provider `mistral`"),
        ] {
            let error = read(spec).unwrap_err();
            assert!(error.contains(expected), "{spec}: {error}");
        }
    }

    #[test]
    fn ollama_may_be_elsewhere() {
        for (host, expected) in
            [("0.0.0.0:1", "http://0.0.0.0:1/v1/"), ("https://o.example.com", "https://o.example.com/v1/")]
        {
            let keys = |name: &str| (name == "OLLAMA_HOST").then(|| host.to_owned());
            assert_eq!(Target::read("ollama:m", &keys).unwrap().address, expected);
        }
    }
}
