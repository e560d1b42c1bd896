//! Provider addresses, parsed once and joined with protocol paths.

use std::fmt;

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::provider::ModelAddressError;
use reqwest::Url;

/// A provider's base address: request paths are joined to it.
#[derive(Clone)]
pub(super) struct ProviderAddress {
    /// The base URL, without a fragment or a trailing slash.
    base: Url,
}

impl ProviderAddress {
    /// Parses an address that has no model name behind it.
    pub(super) fn parse(text: &str) -> Result<Self, ModelAddressError> {
        if text.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
            return Err(ModelAddressError::Whitespace);
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(ModelAddressError::NoScheme { instead: with_scheme(text) });
        };
        if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            return Err(ModelAddressError::OtherScheme(quoted(scheme).to_string()));
        }
        // A parser of URLs takes the first part of the path for the host then.
        if rest.is_empty() || rest.starts_with(['/', '\\', '?', '#']) {
            return Err(ModelAddressError::NoHost);
        }
        let mut base = Url::parse(text).map_err(|error| match error.to_string().as_str() {
            "empty host" => ModelAddressError::NoHost,
            error => ModelAddressError::Unreadable(error.to_owned()),
        })?;
        if base.fragment().is_some() {
            return Err(ModelAddressError::TwoModels);
        }
        if base.port() == Some(0) {
            return Err(ModelAddressError::NoPort);
        }
        let path = base.path().trim_end_matches('/').to_owned();
        base.set_path(&path);
        Ok(Self { base })
    }

    /// Joins a protocol path, which may have a query. A path suffix that the address already has is not repeated. The address's
    /// own query stays, except for members that the path's query sets.
    pub(super) fn endpoint(&self, path: &str) -> Url {
        // The name of a model may be in the path, with any letter: the last question mark begins the query.
        let (path, query) = path.rsplit_once('?').unwrap_or((path, ""));
        let extended = |mut url: Url| {
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop_if_empty().extend(path.split('/'));
            }
            url
        };
        let mut root = self.base.clone();
        root.set_path("");
        let is_there = self.base.path().ends_with(extended(root).path());
        let mut url = if is_there { self.base.clone() } else { extended(self.base.clone()) };
        url.set_query(merged(self.base.query(), query).as_deref());
        url
    }

    /// Returns the address below this one, unless this one ends so already.
    pub(super) fn below(&self, path: &str) -> Self {
        Self { base: self.endpoint(path) }
    }

    /// Returns host and explicit port: the name for a provider without one.
    pub(super) fn authority(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        match self.base.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Returns host and port.
    pub(super) fn server(&self) -> String {
        let port = self.base.port_or_known_default().unwrap_or_default();
        format!("{}:{port}", self.base.host_str().unwrap_or_default())
    }

    /// True if the text is this address with a trailing slash added.
    pub(super) fn is_with_slash(&self, text: &str) -> bool {
        text.strip_suffix('/') == Some(self.base.as_str())
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// True if the address has user information, which is sent in the `Authorization` header.
    pub(super) fn has_user(&self) -> bool {
        !self.base.username().is_empty() || self.base.password().is_some()
    }

    /// True if Azure serves OpenAI's models at this address: an Azure host name, or a custom domain with the `api-version` query,
    /// which only Azure requires.
    pub(super) fn is_azure(&self) -> bool {
        const HOSTS: [&str; 3] = [".openai.azure.", ".cognitiveservices.azure.", ".services.ai.azure."];
        let host = self.base.host_str().unwrap_or_default();
        let cloud = HOSTS.iter().find_map(|of| host.split_once(of));
        cloud.is_some_and(|(_, cloud)| ["com", "us", "cn"].contains(&cloud))
            || self.base.query_pairs().any(|(name, _)| name == "api-version")
    }
}

/// Omits the query and the user information, which may contain keys.
impl fmt::Display for ProviderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.base.scheme(), self.authority(), self.base.path())
    }
}

/// Adds a scheme to an address without one.
pub(super) fn with_scheme(text: &str) -> String {
    shown(&format!("http://{}", text.trim_start_matches('/')))
}

/// Returns an address for an error text, without the user information, which ends at the authority's last `@`.
pub(super) fn shown(text: &str) -> String {
    let start = text.find("://").map_or(0, |at| at + 3);
    let (before, rest) = text.split_at(start);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at(end);
    match authority.rsplit_once('@') {
        Some((_, host)) if start > 0 => quoted(format_args!("{before}…@{host}{after}")).to_string(),
        _ => quoted(text).to_string(),
    }
}

/// Joins two queries. A member in the second replaces the member with the same name in the first.
fn merged(first: Option<&str>, second: &str) -> Option<String> {
    let name = |member: &str| member.split('=').next().unwrap_or_default().to_owned();
    let replaced: Vec<String> = second.split('&').map(name).collect();
    let kept = first.unwrap_or_default().split('&').filter(|member| !replaced.contains(&name(member)));
    let all: Vec<&str> = kept.chain(second.split('&')).filter(|member| !member.is_empty()).collect();
    (!all.is_empty()).then(|| all.join("&"))
}

#[cfg(test)]
mod tests;
