//! The model spec, and the key that belongs to the model.

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::provider::{ModelAddressError, ModelConfigError};
use reqwest::header::{AUTHORIZATION, HeaderName};

use super::address::{self, ProviderAddress};
use super::chat_quirks::ChatQuirks;
use super::dialect::ProviderDialect;
use super::known_provider::{KNOWN, KnownAddress, KnownKey, KnownProvider};
use super::ollama;
use super::server_seal::ServerSeal;

/// A parsed model spec.
pub(super) struct ModelTarget {
    pub(super) dialect: ProviderDialect,
    pub(super) provider: String,
    pub(super) model: String,
    pub(super) address: ProviderAddress,
    pub(super) key: Option<String>,
    pub(super) quirks: ChatQuirks,
}

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
        let address = match address {
            Some(text) if is_scheme_missing(text) => return Err(without_scheme(text)),
            Some(text) => read(text)?,
            None => known_address(known, &variable)?,
        };
        let key = match known.key {
            KnownKey::None => None,
            KnownKey::Optional(name) => variable(name),
            KnownKey::Required(name) => match variable(name) {
                // The server at the address knows the program by its user information.
                None if !address.has_user() => {
                    return Err(ModelConfigError::MissingKey {
                        provider: provider.to_owned(),
                        variable: name,
                    });
                }
                key => key,
            },
        };
        // Two protocols are one provider: its usage is counted together.
        let provider = provider.trim_end_matches("-chat").to_owned();
        let (dialect, quirks) = (known.dialect, known.quirks);
        Ok(Self { dialect, provider, model: model.to_owned(), address, key, quirks })
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
        // A known server is the same server without its name.
        let known =
            KNOWN.iter().find(|known| known.dialect == ProviderDialect::OpenAiChat && known.is_at(&address));
        let quirks = known.map_or(ChatQuirks::IMITATOR, |known| known.quirks);
        Ok(Self {
            dialect: ProviderDialect::OpenAiChat,
            provider,
            model: model.to_owned(),
            address,
            key,
            quirks,
        })
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
        match self.is_author() {
            true => ServerSeal::default(),
            false => ServerSeal::for_server(self.address.server()),
        }
    }

    /// True if the address is the protocol's author's own.
    pub(super) fn is_author(&self) -> bool {
        let is_own = |known: &KnownProvider| {
            known.is_author && known.dialect == self.dialect && known.is_at(&self.address)
        };
        KNOWN.iter().any(is_own)
    }

    /// True for servers that imitate Chat Completions.
    pub(super) fn is_imitator(&self) -> bool {
        let is_openai = |known: &KnownProvider| known.name == "openai-chat" && known.is_at(&self.address);
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

/// Returns the address that a provider's name stands for.
fn known_address(
    known: &KnownProvider,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<ProviderAddress, ModelConfigError> {
    let missing = |name| ModelConfigError::MissingAddress { provider: known.name.to_owned(), variable: name };
    match known.address {
        KnownAddress::Fixed(address) => read(address),
        KnownAddress::Ollama(address) => match variable("OLLAMA_HOST") {
            None => read(address),
            Some(host) => {
                ollama::parse_host(&host).map_err(|problem| refused(&format!("OLLAMA_HOST={host}"), problem))
            }
        },
        KnownAddress::Variable { name, path } => {
            let base = variable(name).ok_or_else(|| missing(name))?;
            Ok(read(&base)?.below(path))
        }
        KnownAddress::Region { variables: [first, second], before, after } => {
            let region = variable(first).or_else(|| variable(second)).ok_or_else(|| missing(first))?;
            read(&format!("{before}{region}{after}"))
        }
    }
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
        _ => ModelConfigError::UnknownProvider {
            name: quoted(provider).to_string(),
            known: KNOWN.iter().map(|known| known.name).collect(),
        },
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
