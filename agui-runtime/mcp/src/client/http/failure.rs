//! HTTP request failures that rmcp has no name for.

use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::token::McpTokenChallenge;
use crate::error::BoxError;

/// A failed HTTP request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpFailure {
    #[error("{}", chain(.0))]
    Network(#[source] reqwest::Error),
    /// Another host: credentials must not go there, and a tool may not run there.
    #[error(
        "it redirects to `{host}`, which is another host or no longer encrypted, and is not followed: give its address if \
         you trust it"
    )]
    Elsewhere { host: String },
    #[error("it redirects with the status {status} to another address, which would not get the request")]
    OtherRedirect { status: u16 },
    #[error("it redirects more than {most} times")]
    ManyRedirects { most: usize },
    #[error("it redirects to something that is no address")]
    NoAddress,
    #[error("it accepted the request with the status {status}, and has no stream for the answer")]
    NoAnswer { status: u16 },
    /// The application has no token.
    #[error("there is no token for it: {0}")]
    NoToken(#[source] BoxError),
    #[error("it demands authorization, and the request has none that is enough: {0}")]
    Unauthorized(McpTokenChallenge),
    #[error("it did not answer the first question")]
    Silent,
    #[error(
        "it speaks only the transport HTTP+SSE of 2024-11-05, which is not supported: give the address of its streamable \
         HTTP"
    )]
    OnlySse,
}

pub(super) type McpHttpError = StreamableHttpError<HttpFailure>;

impl From<HttpFailure> for McpHttpError {
    fn from(failure: HttpFailure) -> Self {
        Self::Client(failure)
    }
}

impl From<reqwest::Error> for HttpFailure {
    fn from(error: reqwest::Error) -> Self {
        // The address may have secrets.
        Self::Network(error.without_url())
    }
}

fn chain(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

impl HttpFailure {
    /// Finds an HTTP failure in an error's source chain.
    pub(crate) fn find_in<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Self> {
        if let Some(failure) = error.downcast_ref::<Self>() {
            return Some(failure);
        }
        match error.downcast_ref::<McpHttpError>() {
            Some(StreamableHttpError::Client(failure)) => Some(failure),
            Some(_) => None,
            None => error.source().and_then(Self::find_in),
        }
    }

    /// True if the person who configured the client can act on the failure; the text then says how.
    pub(crate) fn is_advice(&self) -> bool {
        matches!(
            self,
            Self::Elsewhere { .. }
                | Self::OtherRedirect { .. }
                | Self::ManyRedirects { .. }
                | Self::NoAddress
                | Self::NoToken(_)
                | Self::Unauthorized(_)
                | Self::OnlySse
        )
    }
}

/// True if the same server may accept a different first request.
pub(super) fn may_accept_another(error: &BoxError) -> bool {
    match error.downcast_ref::<McpHttpError>() {
        Some(StreamableHttpError::HttpStatus(error)) => error.status != 429,
        Some(StreamableHttpError::UnexpectedServerResponse(text)) => {
            !["HTTP 401", "HTTP 403"].iter().any(|status| text.starts_with(status))
        }
        Some(StreamableHttpError::Client(HttpFailure::Network(error))) => {
            !(error.is_connect() || error.is_builder())
        }
        Some(StreamableHttpError::Client(failure)) => !failure.is_advice(),
        _ => true,
    }
}
