//! The model spec, and the key that belongs to the model.

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::provider::{ModelAddressError, ModelConfigError};
use reqwest::header::{AUTHORIZATION, HeaderName};

use super::address::{self, ProviderAddress};
use super::dialect::ProviderDialect;
use super::ollama;
use super::server_seal::ServerSeal;

/// A parsed model spec.
pub(super) struct ModelTarget {
    pub(super) dialect: ProviderDialect,
    pub(super) provider: String,
    pub(super) model: String,
    pub(super) address: ProviderAddress,
    pub(super) key: Option<String>,
}

/// A known provider.
struct KnownProvider {
    name: &'static str,
    dialect: ProviderDialect,
    address: &'static str,
    key: Option<&'static str>,
}

static KNOWN: [KnownProvider; 5] = [
    KnownProvider {
        name: "openai",
        dialect: ProviderDialect::OpenAiResponses,
        address: "https://api.openai.com/v1/",
        key: Some("OPENAI_API_KEY"),
    },
    KnownProvider {
        name: "openai-chat",
        dialect: ProviderDialect::OpenAiChat,
        address: "https://api.openai.com/v1/",
        key: Some("OPENAI_API_KEY"),
    },
    KnownProvider {
        name: "anthropic",
        dialect: ProviderDialect::Anthropic,
        address: "https://api.anthropic.com/v1/",
        key: Some("ANTHROPIC_API_KEY"),
    },
    KnownProvider {
        name: "gemini",
        dialect: ProviderDialect::Gemini,
        address: "https://generativelanguage.googleapis.com/v1beta/",
        key: Some("GEMINI_API_KEY"),
    },
    KnownProvider {
        name: "ollama",
        dialect: ProviderDialect::OpenAiChat,
        address: "http://127.0.0.1:11434/v1/",
        key: None,
    },
];

impl ModelTarget {
    /// Parses a model spec. `variable` returns an environment variable's value.
    pub(super) fn parse(
        spec: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelConfigError> {
        let variable = |name: &str| {
            variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let spec = spec.trim();
        let malformed = || ModelConfigError::Malformed(address::shown(spec));
        let Some((provider, rest)) = spec.split_once(':') else {
            return Err(if is_host(spec) { without_scheme(spec) } else { malformed() });
        };
        let Some(known) = KNOWN.iter().find(|known| known.name == provider) else {
            return match rest.starts_with("//") {
                true => Self::from_address(spec, variable("AGUI_MODEL_KEY")),
                false => Err(unknown(spec, provider)),
            };
        };
        let (model, address) = model_and_address(rest).ok_or_else(malformed)?;
        let address = match (address, variable("OLLAMA_HOST")) {
            (Some(text), _) if is_scheme_missing(text) => return Err(without_scheme(text)),
            (Some(text), _) => read(text)?,
            (None, Some(host)) if known.name == "ollama" => ollama::parse_host(&host)
                .map_err(|problem| refused(&format!("OLLAMA_HOST={host}"), problem))?,
            (None, _) => read(known.address)?,
        };
        let key = match known.key.map(|name| (name, variable(name))) {
            None => None,
            // The server at the address knows the program by its user information.
            Some((_, None)) if address.has_user() => None,
            Some((name, None)) => {
                return Err(ModelConfigError::MissingKey { provider: provider.to_owned(), variable: name });
            }
            Some((_, key)) => key,
        };
        // Both protocols of OpenAI are one provider: its usage is counted together.
        let provider = provider.trim_end_matches("-chat").to_owned();
        Ok(Self { dialect: known.dialect, provider, model: model.to_owned(), address, key })
    }

    /// Parses an address with a model name behind `#`.
    fn from_address(spec: &str, key: Option<String>) -> Result<Self, ModelConfigError> {
        let (text, model) = spec.split_once('#').unwrap_or((spec, ""));
        let address = read(text)?;
        let model = model.trim();
        if model.is_empty() {
            return Err(refused(text, ModelAddressError::NoModel));
        }
        let provider = address.authority();
        Ok(Self { dialect: ProviderDialect::OpenAiChat, provider, model: model.to_owned(), address, key })
    }

    /// Returns the header that carries the key, and its value.
    pub(super) fn key_header(&self) -> Option<(HeaderName, String)> {
        let key = self.key.as_deref()?;
        let (name, value) = self.dialect.key_header(key);
        if name != AUTHORIZATION {
            return Some((name, value));
        }
        if self.address.is_azure() && !is_token(key) {
            return Some((HeaderName::from_static("api-key"), key.to_owned()));
        }
        // The user information of an address is sent in this header, which a request has once.
        (!self.address.has_user()).then_some((name, value))
    }

    /// Returns the mark for values that may go back to this server only.
    pub(super) fn seal(&self) -> ServerSeal {
        match KNOWN
            .iter()
            .any(|known| known.dialect == self.dialect && self.address.is_with_slash(known.address))
        {
            true => ServerSeal::default(),
            false => ServerSeal::for_server(self.address.server()),
        }
    }

    /// True for servers that imitate Chat Completions.
    pub(super) fn is_imitator(&self) -> bool {
        let is_openai =
            |known: &KnownProvider| known.name == "openai-chat" && self.address.is_with_slash(known.address);
        self.dialect == ProviderDialect::OpenAiChat
            && !self.address.is_azure()
            && !KNOWN.iter().any(is_openai)
    }
}

/// Splits the text after the provider name. Model names and addresses may both contain `@`.
fn model_and_address(rest: &str) -> Option<(&str, Option<&str>)> {
    let (model, address) = match rest.find("://") {
        Some(scheme) => {
            let at = rest.get(..scheme)?.rfind('@')?;
            (rest.get(..at)?, rest.get(at + 1..))
        }
        None => match rest.rsplit_once('@') {
            Some((model, address)) if is_scheme_missing(address) => (model, Some(address)),
            _ => (rest, None),
        },
    };
    let model = model.trim();
    (!model.is_empty() && !model.starts_with("//")).then_some((model, address))
}

fn read(text: &str) -> Result<ProviderAddress, ModelConfigError> {
    ProviderAddress::parse(text).map_err(|problem| refused(text, problem))
}

fn refused(text: &str, problem: ModelAddressError) -> ModelConfigError {
    ModelConfigError::Address { address: address::shown(text), problem }
}

fn without_scheme(text: &str) -> ModelConfigError {
    refused(text, ModelAddressError::NoScheme { instead: address::with_scheme(text) })
}

/// Returns the error for a spec with an unknown provider before the colon.
fn unknown(spec: &str, provider: &str) -> ModelConfigError {
    match provider.to_ascii_lowercase().as_str() {
        "http" | "https" => refused(spec, ModelAddressError::NoHost),
        _ if is_host(spec) => without_scheme(spec),
        _ => ModelConfigError::UnknownProvider(quoted(provider).to_string()),
    }
}

/// True if the text after `@` is an address without a scheme, rather than a model name suffix such as `20250514`.
fn is_scheme_missing(text: &str) -> bool {
    let top = text.rsplit_once('.').map_or("", |(_, top)| top);
    let is_name = top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    !text.contains("://") && (text.is_empty() || text.contains('/') || is_name || is_host(text))
}

/// True if a text begins with a host name: `localhost/v1`, `10.0.0.1:8080`, `llm.example.com/v1#qwen3`.
fn is_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (authority, behind) = text.split_at(end);
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
    let has_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = host.parse::<std::net::Ipv4Addr>().is_ok();
    let is_name = host.eq_ignore_ascii_case("localhost") || host.starts_with('[') || is_number;
    is_name
        || text.starts_with("//")
        // The names of models have dots, slashes and colons too.
        || (host.contains('.') && (has_port || !behind.is_empty()))
        || (text.contains('#') && (has_port || behind.starts_with('/')))
}

/// True if a key is a Microsoft Entra token rather than an Azure key: a JSON Web Token has three parts, and the first is an
/// object.
fn is_token(key: &str) -> bool {
    key.starts_with("eyJ") && key.matches('.').count() == 2
}

#[cfg(test)]
mod tests;
