//! The table of providers that have a name.

use super::address::ProviderAddress;
use super::chat_quirks::ChatQuirks;
use super::dialect::ProviderDialect;

/// A provider with a name.
pub(super) struct KnownProvider {
    /// The name before the colon in a spec.
    pub(super) name: &'static str,
    pub(super) dialect: ProviderDialect,
    pub(super) address: KnownAddress,
    pub(super) key: KnownKey,
    /// True if the dialect is this provider's own, so that the provider's values need no mark.
    pub(super) is_author: bool,
    pub(super) quirks: ChatQuirks,
}

/// The place of a provider's address.
pub(super) enum KnownAddress {
    Fixed(&'static str),
    /// A local server's address, or the value that `OLLAMA_HOST` has.
    Ollama(&'static str),
    /// The base address stands in a variable, and a path follows.
    Variable {
        name: &'static str,
        path: &'static str,
    },
    /// The address has a region, which stands in one of two variables.
    Region {
        variables: [&'static str; 2],
        before: &'static str,
        after: &'static str,
    },
}

/// The variable with a provider's key.
pub(super) enum KnownKey {
    None,
    /// A server that may need a key.
    Optional(&'static str),
    Required(&'static str),
}

impl KnownProvider {
    /// Returns a provider that imitates Chat Completions.
    const fn imitator(name: &'static str, address: &'static str, key: KnownKey) -> Self {
        Self {
            name,
            dialect: ProviderDialect::OpenAiChat,
            address: KnownAddress::Fixed(address),
            key,
            is_author: false,
            quirks: ChatQuirks::IMITATOR,
        }
    }

    /// Returns an imitator that writes by a schema if the request has no tools.
    const fn with_grammar(name: &'static str, address: &'static str, key: KnownKey) -> Self {
        Self { quirks: ChatQuirks::GRAMMAR, ..Self::imitator(name, address, key) }
    }

    /// Returns a provider with a protocol of its own.
    const fn author(
        name: &'static str,
        dialect: ProviderDialect,
        address: &'static str,
        key: &'static str,
    ) -> Self {
        Self {
            name,
            dialect,
            address: KnownAddress::Fixed(address),
            key: KnownKey::Required(key),
            is_author: true,
            quirks: ChatQuirks::OPENAI,
        }
    }

    /// True if this is the provider's fixed address.
    pub(super) fn is_at(&self, address: &ProviderAddress) -> bool {
        matches!(self.address, KnownAddress::Fixed(known) if address.is_with_slash(known))
    }
}

const OPENAI: &str = "https://api.openai.com/v1/";
const AZURE: KnownAddress = KnownAddress::Variable { name: "AZURE_OPENAI_ENDPOINT", path: "openai/v1" };

/// The providers, in the order of the documentation.
pub(super) static KNOWN: [KnownProvider; 16] = [
    KnownProvider::author("openai", ProviderDialect::OpenAiResponses, OPENAI, "OPENAI_API_KEY"),
    KnownProvider::author("openai-chat", ProviderDialect::OpenAiChat, OPENAI, "OPENAI_API_KEY"),
    KnownProvider::author(
        "anthropic",
        ProviderDialect::Anthropic,
        "https://api.anthropic.com/v1/",
        "ANTHROPIC_API_KEY",
    ),
    KnownProvider::author(
        "gemini",
        ProviderDialect::Gemini,
        "https://generativelanguage.googleapis.com/v1beta/",
        "GEMINI_API_KEY",
    ),
    KnownProvider {
        address: AZURE,
        dialect: ProviderDialect::OpenAiResponses,
        ..KnownProvider::imitator("azure", "", KnownKey::Required("AZURE_OPENAI_API_KEY"))
    },
    KnownProvider {
        address: AZURE,
        quirks: ChatQuirks::OPENAI,
        ..KnownProvider::imitator("azure-chat", "", KnownKey::Required("AZURE_OPENAI_API_KEY"))
    },
    KnownProvider {
        address: KnownAddress::Region {
            variables: ["AWS_REGION", "AWS_DEFAULT_REGION"],
            before: "https://bedrock-runtime.",
            after: ".amazonaws.com/v1/",
        },
        ..KnownProvider::imitator("bedrock", "", KnownKey::Required("AWS_BEARER_TOKEN_BEDROCK"))
    },
    KnownProvider::imitator(
        "openrouter",
        "https://openrouter.ai/api/v1/",
        KnownKey::Required("OPENROUTER_API_KEY"),
    ),
    KnownProvider::imitator("groq", "https://api.groq.com/openai/v1/", KnownKey::Required("GROQ_API_KEY")),
    KnownProvider {
        quirks: ChatQuirks::MISTRAL,
        ..KnownProvider::imitator(
            "mistral",
            "https://api.mistral.ai/v1/",
            KnownKey::Required("MISTRAL_API_KEY"),
        )
    },
    KnownProvider::imitator(
        "deepseek",
        "https://api.deepseek.com/v1/",
        KnownKey::Required("DEEPSEEK_API_KEY"),
    ),
    KnownProvider::with_grammar("xai", "https://api.x.ai/v1/", KnownKey::Required("XAI_API_KEY")),
    KnownProvider {
        address: KnownAddress::Ollama("http://127.0.0.1:11434/v1/"),
        ..KnownProvider::with_grammar("ollama", "", KnownKey::None)
    },
    KnownProvider::with_grammar("vllm", "http://127.0.0.1:8000/v1/", KnownKey::Optional("VLLM_API_KEY")),
    KnownProvider::with_grammar(
        "lmstudio",
        "http://127.0.0.1:1234/v1/",
        KnownKey::Optional("LMSTUDIO_API_KEY"),
    ),
    KnownProvider::with_grammar(
        "llamacpp",
        "http://127.0.0.1:8080/v1/",
        KnownKey::Optional("LLAMACPP_API_KEY"),
    ),
];
