//! Webhook settings.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use http::request::Parts;
use reqwest::Url;

use super::address::{is_public, literal};
use crate::server::Error;
use crate::server::response::rejection::Rejection;
use crate::webhook::WebhookSecret;

/// Returns a run's target from the request head.
type TargetFn = Arc<dyn Fn(&Parts) -> Option<String> + Send + Sync>;

/// The maximum target length in bytes.
const LONGEST_TARGET: usize = 2048;

/// Webhooks: a request to a URL when a [stored](crate::Server::threads) run has ended, for clients that do not wait. Set with
/// [`Server::webhooks`](crate::Server::webhooks).
///
/// The request is a POST with a [`WebhookMessage`](crate::webhook::WebhookMessage), signed by the Standard Webhooks specification.
/// A 2xx response ends the delivery; 410 gives the message up. Any other response, including a redirect, and a late response lead
/// to another attempt after a pause, which doubles. A message's attempts share one `webhook-id`. Each message is sent at least
/// once, also if the server is lost after the run has ended: another server on the store, or this server after a restart, sends
/// the message.
///
/// Requests go only to public internet addresses, over `https`, to receivers whose certificates the system or an authority from
/// [`root_certificates`](Self::root_certificates) trusts. The address is checked for each connection, after name resolution.
/// Redirects are not followed, environment proxies not used, and response bodies not read. At most 32 requests are open at once, 8
/// per host.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::Server;
/// use agui_runtime::http::Webhooks;
/// use agui_runtime::thread::Memory;
/// use agui_runtime::webhook::WebhookSecret;
///
/// let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?;
/// let webhooks = Webhooks::to("https://example.org/agent-ended", secret).timeout(Duration::from_secs(5));
/// let server = Server::new().threads(Memory::new()).webhooks(webhooks);
/// # Ok::<(), agui_runtime::webhook::WebhookSecretError>(())
/// ```
#[derive(Clone)]
#[must_use = "give them to `Server::webhooks`"]
pub struct Webhooks {
    target: TargetRule,
    pub(super) secrets: Vec<WebhookSecret>,
    pub(super) is_private_allowed: bool,
    pub(super) timeout: Duration,
    pub(super) attempts: u32,
    pub(super) first_pause: Duration,
    pub(super) longest_pause: Duration,
    /// Authority certificates in PEM.
    pub(super) authorities: Vec<Vec<u8>>,
}

/// How a run's target is chosen.
#[derive(Clone)]
enum TargetRule {
    One(String),
    ForEach(TargetFn),
}

impl Webhooks {
    /// Sends all run ends to one URL. A server whose URL is not public does not start, unless [private addresses are
    /// allowed](Self::allow_private). See [`Webhooks`].
    pub fn to(url: impl Into<String>, secret: WebhookSecret) -> Self {
        Self::new(TargetRule::One(url.into()), secret)
    }

    /// Chooses each run's URL from the request head; `None` for a run without a webhook. The function is the application's policy:
    /// which clients may name which URLs, for example in a header. A request whose URL is not public is refused with status 400
    /// and code `invalid_webhook`.
    ///
    /// ```
    /// use agui_runtime::http::Webhooks;
    /// use agui_runtime::webhook::WebhookSecret;
    ///
    /// # let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    /// let webhooks = Webhooks::for_each(
    ///     |parts| {
    ///         let url = parts.headers.get("x-webhook-url")?.to_str().ok()?;
    ///         url.starts_with("https://hooks.example.org/").then(|| url.to_owned())
    ///     },
    ///     secret,
    /// );
    /// ```
    pub fn for_each(
        target: impl Fn(&Parts) -> Option<String> + Send + Sync + 'static,
        secret: WebhookSecret,
    ) -> Self {
        Self::new(TargetRule::ForEach(Arc::new(target)), secret)
    }

    fn new(target: TargetRule, secret: WebhookSecret) -> Self {
        Self {
            target,
            secrets: vec![secret],
            is_private_allowed: false,
            timeout: Duration::from_secs(15),
            attempts: 10,
            first_pause: Duration::from_secs(5),
            longest_pause: Duration::from_secs(60 * 60),
            authorities: Vec::new(),
        }
    }

    /// Also signs with a further secret, while receivers change from one secret to the other.
    pub fn also_sign(mut self, secret: WebhookSecret) -> Self {
        self.secrets.push(secret);
        self
    }

    /// Allows local and private network addresses, and plain `http`: for receivers beside the server. Client-chosen targets could
    /// then reach whatever the server can reach.
    pub fn allow_private(mut self, allow: bool) -> Self {
        self.is_private_allowed = allow;
        self
    }

    /// Trusts receivers with certificates from the given authorities, in addition to the system's: for a private authority. `pem`
    /// has the authority certificates, one after the other. A server does not start if `pem` has no certificate, or a malformed
    /// one ([`Error::WebhookClient`]). May be called again for further authorities.
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.authorities.push(pem.into());
        self
    }

    /// Sets the time limit for one attempt, from the connection to the response head; 15 seconds by default.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// Sets the maximum number of attempts per message; 10 by default, at least 1. After the last, the server logs an error.
    pub fn attempts(mut self, most: u32) -> Self {
        self.attempts = most.max(1);
        self
    }

    /// Sets the pause before the second attempt, which doubles with each further attempt, and the longest pause; 5 seconds and an
    /// hour by default. Pauses vary by up to a half.
    pub fn pauses(mut self, first: Duration, longest: Duration) -> Self {
        (self.first_pause, self.longest_pause) = (first, longest);
        self
    }

    /// Checks the fixed target.
    pub(in crate::server) fn check(&self) -> Result<(), Error> {
        let TargetRule::One(url) = &self.target else { return Ok(()) };
        match self.admit(url) {
            Ok(_) => Ok(()),
            Err(reason) => Err(Error::WebhookTarget { reason }),
        }
    }

    /// Returns a request's target, if any.
    pub(in crate::server) fn target(&self, parts: &Parts) -> Result<Option<String>, Rejection> {
        let chosen = match &self.target {
            TargetRule::One(url) => Some(url.clone()),
            TargetRule::ForEach(target) => target(parts),
        };
        let refuse = |reason| {
            let message = format!("the URL of the webhook cannot be used: {reason}");
            Rejection::new(StatusCode::BAD_REQUEST, "invalid_webhook", message)
        };
        chosen.map(|url| self.admit(&url).map(|_| url).map_err(refuse)).transpose()
    }

    /// Parses a URL to which a request may go; names are checked when they are resolved.
    pub(super) fn admit(&self, url: &str) -> Result<Url, String> {
        if url.len() > LONGEST_TARGET {
            return Err(format!("it is longer than {LONGEST_TARGET} bytes"));
        }
        let parsed = Url::parse(url).map_err(|error| error.to_string())?;
        match parsed.scheme() {
            "https" => {}
            "http" if self.is_private_allowed => {}
            _ => return Err("its scheme is not https".to_owned()),
        }
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err("it contains a password".to_owned());
        }
        if !self.is_private_allowed && literal(&parsed).is_some_and(|address| !is_public(address)) {
            return Err("its address is not one of the public internet".to_owned());
        }
        Ok(parsed)
    }
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Targets may contain secrets.
        f.debug_struct("Webhooks").field("attempts", &self.attempts).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_targets_of_the_public_internet_are_admitted() {
        let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let webhooks = Webhooks::to("https://example.org", secret);
        let private = webhooks.clone().allow_private(true);
        for (url, public, allowed) in [
            ("https://example.org/a?b=c", true, true),
            ("https://93.184.216.34:8443/", true, true),
            ("http://example.org/", false, true),
            ("https://127.0.0.1/", false, true),
            ("https://169.254.169.254/latest/meta-data", false, true),
            ("https://0x7f.1/", false, true),
            ("https://[::ffff:10.0.0.1]/", false, true),
            ("ftp://example.org/", false, false),
            ("file:///etc/passwd", false, false),
            ("https://user:secret@example.org/", false, false),
            ("example.org", false, false),
            ("", false, false),
        ] {
            assert_eq!((webhooks.admit(url).is_ok(), private.admit(url).is_ok()), (public, allowed), "{url}");
        }
        let long = format!("https://example.org/{}", "x".repeat(2048));
        assert!(webhooks.admit(&long).is_err());
    }
}
