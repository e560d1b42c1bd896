//! First check of a request: its page's origin, and the requested host. No other code runs before this check.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};

use super::cors::PageOrigins;
use super::loopback::{host, is_address, is_local, is_loopback};
use crate::server::Error;
use crate::server::limits::body_time::{BodyDeadline, BodyTimeLimit};
use crate::server::limits::server_limits::Limits;
use crate::server::limits::watched::WatchedBody;
use crate::server::response::rejection::Rejection;
use crate::stderr_log;

/// Header characters that a response repeats.
const QUOTED: usize = 200;

/// Hosts for which a server responds.
#[derive(Clone, Debug)]
pub(in crate::server) enum ServedHosts {
    /// The server is part of an application whose address is unknown.
    Unknown,
    /// The server is reached from outside, under an unknown name.
    Any,
    /// This machine's names, and the listed ones in lower case.
    Named(Vec<String>),
}

impl ServedHosts {
    /// Takes the hosts that the user named. Without any, a server that listens on a loopback address responds only to loopback
    /// names.
    pub(in crate::server) fn new(
        named: Option<&[String]>,
        listening: Option<SocketAddr>,
    ) -> Result<Self, Error> {
        match named {
            Some(named) => named.iter().map(|name| read(name)).collect::<Result<_, _>>().map(Self::Named),
            None if listening.is_some_and(is_local) => Ok(Self::Named(Vec::new())),
            None => Ok(if listening.is_some() { Self::Any } else { Self::Unknown }),
        }
    }

    /// Returns true if an attacker cannot have chosen an admitted request's host.
    fn knows(&self, authority: &str) -> bool {
        match self {
            Self::Unknown | Self::Any => is_address(authority),
            Self::Named(_) => true,
        }
    }

    fn admit(&self, authority: &str) -> bool {
        match self {
            Self::Unknown | Self::Any => true,
            Self::Named(named) => {
                is_loopback(authority) || named.iter().any(|name| name.eq_ignore_ascii_case(host(authority)))
            }
        }
    }
}

fn read(name: &str) -> Result<String, Error> {
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte));
    if is_name && host(name) == name {
        Ok(name.to_ascii_lowercase())
    } else {
        Err(Error::InvalidHost { host: name.to_owned() })
    }
}

/// Requirements for every request.
#[derive(Debug)]
pub(in crate::server) struct RequestGate {
    pub(in crate::server) origins: PageOrigins,
    pub(in crate::server) hosts: ServedHosts,
    pub(in crate::server) body_time: Option<BodyTimeLimit>,
}

impl Default for RequestGate {
    /// Returns the gate for an unknown server.
    fn default() -> Self {
        Self {
            origins: PageOrigins::Named(Vec::new()),
            hosts: ServedHosts::Unknown,
            body_time: BodyTimeLimit::new(Limits::default().body_timeout),
        }
    }
}

impl RequestGate {
    /// Returns the request with a time limit for its body, or the refusal.
    pub(in crate::server) fn admit(&self, request: Request) -> Result<Request, Rejection> {
        self.check(&request)?;
        Ok(match self.body_time {
            Some(time) => request.map(|body| Body::new(WatchedBody::new(body, BodyDeadline::new(time)))),
            None => request,
        })
    }

    /// Returns true if pages from all origins may send requests, without cookies.
    #[cfg(feature = "websocket")]
    pub(in crate::server) fn admits_every_page(&self) -> bool {
        matches!(self.origins, PageOrigins::Any)
    }

    fn check(&self, request: &Request) -> Result<(), Rejection> {
        let authorities = authorities(request)?;
        if let ServedHosts::Named(_) = self.hosts {
            match authorities.iter().find(|authority| !self.hosts.admit(authority)) {
                Some(wrong) => return Err(wrong_host(wrong)),
                None if authorities.is_empty() => return Err(wrong_host("")),
                None => {}
            }
        }
        let authority = authorities.first().copied();
        let is_known = authority.is_some_and(|authority| self.hosts.knows(authority));
        for origin in request.headers().get_all(header::ORIGIN) {
            if !self.origins.admit(origin, authority, is_known) {
                return Err(wrong_origin(origin));
            }
        }
        Ok(())
    }

    /// Checks a read request about the agents. Browsers send no origin with such a request, so a page whose name was pointed here
    /// (DNS rebinding) looks like a program. If no host is known, only an address, this machine's names, and a page over TLS are
    /// admitted: browsers send `Sec-Fetch-Site` only over TLS, and no page can set that header.
    fn check_reading(&self, request: &Request) -> Result<(), Rejection> {
        match self.hosts {
            ServedHosts::Unknown => self.check_unknown_host(request),
            ServedHosts::Any | ServedHosts::Named(_) => Ok(()),
        }
    }

    /// Checks a read request for a conversation, which is worth more than facts about the agents. So a page whose name was pointed
    /// here is also refused by a server that is reached from outside.
    fn check_thread(&self, request: &Request) -> Result<(), Rejection> {
        match self.hosts {
            ServedHosts::Unknown | ServedHosts::Any => self.check_unknown_host(request),
            ServedHosts::Named(_) => Ok(()),
        }
    }

    fn check_unknown_host(&self, request: &Request) -> Result<(), Rejection> {
        let is_closed = matches!(self.origins, PageOrigins::Named(_));
        let headers = request.headers();
        let is_over_tls = headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin");
        if !is_closed
            || request.method() == Method::POST
            || headers.contains_key(header::ORIGIN)
            || is_over_tls
        {
            return Ok(());
        }
        match authorities(request)?.iter().find(|host| !is_address(host) && !is_loopback(host)) {
            Some(unknown) => Err(wrong_host(unknown)),
            None => Ok(()),
        }
    }
}

/// Returns the hosts that a request names. The host in a request target overrides the header (RFC 9112, section 3.2.2); both must
/// be right.
fn authorities(request: &Request) -> Result<Vec<&str>, Rejection> {
    let mut authorities: Vec<&str> =
        request.uri().authority().map(http::uri::Authority::as_str).into_iter().collect();
    for named in request.headers().get_all(header::HOST) {
        authorities.push(named.to_str().map_err(|_| wrong_host(&String::from_utf8_lossy(named.as_bytes())))?);
    }
    Ok(authorities)
}

fn wrong_host(host: &str) -> Rejection {
    let host: String = host.chars().take(QUOTED).collect();
    Rejection::new(
        StatusCode::FORBIDDEN,
        "host_not_allowed",
        format!(
            "the request is for the host `{host}`, which is not one of this server: \
             expected a loopback name such as `localhost`, or one that `Server::allow_hosts` names"
        ),
    )
    .with_header(header::VARY, HeaderValue::from_static("origin"))
}

fn wrong_origin(origin: &HeaderValue) -> Rejection {
    let origin: String = String::from_utf8_lossy(origin.as_bytes()).chars().take(QUOTED).collect();
    Rejection::new(
        StatusCode::FORBIDDEN,
        "origin_not_allowed",
        format!(
            "pages of `{origin}` may not talk to this server: name the origin with `Server::allow_origins`, \
             or open the server to every page with `Server::allow_any_origin`"
        ),
    )
    .with_header(header::VARY, HeaderValue::from_static("origin"))
}

/// Passes a request on, or refuses with status 403.
pub(in crate::server) async fn pass(gate: Arc<RequestGate>, request: Request, next: Next) -> Response {
    stderr_log::begin_if_due();
    match gate.admit(request) {
        Ok(request) => next.run(request).await,
        Err(rejection) => rejection.into_response(),
    }
}

/// Passes a request to the agents' own routes, or refuses with status 403.
pub(in crate::server) async fn pass_reading(
    gate: Arc<RequestGate>,
    mut request: Request,
    next: Next,
) -> Response {
    match gate.check_reading(&request) {
        Ok(()) => {
            request.extensions_mut().insert(gate);
            next.run(request).await
        }
        Err(rejection) => rejection.into_response(),
    }
}

/// Passes a request to a route that shows conversation content, or refuses with status 403.
pub(in crate::server) async fn pass_thread(request: Request, next: Next) -> Response {
    let gate = request.extensions().get::<Arc<RequestGate>>();
    match gate.map_or(Ok(()), |gate| gate.check_thread(&request)) {
        Ok(()) => next.run(request).await,
        Err(rejection) => rejection.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_loopback_answers_to_loopback_names_and_to_named_hosts() {
        let loopback = Some("127.0.0.1:8000".parse().unwrap());
        let mapped = Some("[::ffff:127.0.0.1]:8000".parse().unwrap());
        let outside = Some("0.0.0.0:8000".parse().unwrap());
        let named = ["agent.example".to_owned()];
        for (named, listening, authority, expected) in [
            (None, loopback, "localhost:8000", true),
            (None, loopback, "agent.example", false),
            (None, mapped, "agent.example", false),
            (None, outside, "agent.example", true),
            (None, None, "agent.example", true),
            (Some(&named[..]), loopback, "Agent.example:8000", true),
            (Some(&named[..]), loopback, "localhost", true),
            (Some(&named[..]), loopback, "other.example", false),
            (Some(&named[..]), outside, "other.example", false),
            (Some(&named[..]), None, "other.example", false),
        ] {
            let hosts = ServedHosts::new(named, listening).unwrap();
            assert_eq!(hosts.admit(authority), expected, "{named:?} {listening:?} {authority}");
        }
        for wrong in ["", "agent.example:80", "http://agent.example", "a b", "*"] {
            assert!(ServedHosts::new(Some(&[wrong.to_owned()]), None).is_err(), "{wrong}");
        }
    }
}
