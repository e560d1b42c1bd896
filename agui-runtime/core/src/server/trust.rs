//! Pages, hosts and resume entries that a server trusts.

use std::time::Duration;

use super::server::{AllowedOrigins, Server};
use crate::consent::InterruptKey;

impl Server {
    /// Lets pages from these origins send requests to the server too, with their cookies. Further calls add origins.
    ///
    /// By default only pages from the server itself (a request's `Origin` and `Host` name the same authority) and from this
    /// machine (`http` or `https` at `localhost`, `127.0.0.0/8` or `[::1]`, any port) may. A request with another `Origin`,
    /// including a preflight and `Origin: null`, gets status 403 and code `origin_not_allowed` before any other code runs. Clients
    /// that send no `Origin` are not affected: servers, command lines, apps.
    ///
    /// Name your own pages' origin here if they are behind a proxy that changes `Host`, or if users open them over plain HTTP by a
    /// name, which an attacker could point to this server; see [Pages that may talk to a
    /// server](crate::guide::security#pages-that-may-talk-to-a-server). [Your own routes](Self::routes) are checked too.
    ///
    /// ```
    /// use agui_runtime::{Error, Server};
    ///
    /// let server = Server::new().allow_origins(["https://app.example", "http://192.168.0.9:5173"]);
    /// assert!(server.router().is_ok());
    ///
    /// let wrong = Server::new().allow_origins(["app.example"]);
    /// assert!(matches!(wrong.router(), Err(Error::InvalidOrigin { .. })), "an origin has a scheme");
    /// ```
    pub fn allow_origins<O: Into<String>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        if let AllowedOrigins::Named(named) = &mut self.origins {
            named.extend(origins.into_iter().map(Into::into));
        }
        self
    }

    /// Lets every web page send requests to the server, without cookies.
    ///
    /// Use this method if everyone on the web may run the agents: a public demo, or a server whose requests carry a token that the
    /// page must know. A server on your own machine that is open this way runs for every page that you visit.
    pub fn allow_any_origin(mut self) -> Self {
        self.origins = AllowedOrigins::Any;
        self
    }

    /// Sets the hosts by which requests may call the server (`Host`, or `:authority`), besides loopback names. Names have no
    /// port ([`Error::InvalidHost`](crate::Error::InvalidHost)). Further calls add hosts.
    ///
    /// By default a server that listens on a loopback address responds only to loopback names, because attackers can point their
    /// own host names to this machine (DNS rebinding). A server on another address responds to any host, and so does a
    /// [`router`](Self::router), whose address is unknown; with this method both are limited to the named hosts. Name the hosts if
    /// a server is in a private network: then pages from the named hosts are admitted over plain HTTP as well, and pages from all
    /// others cannot even send a `GET`. A request for another host gets status 403 and code `host_not_allowed`.
    pub fn allow_hosts<H: Into<String>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.hosts.get_or_insert_default().extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Signs interrupts with this key, so that clients can resume only interrupts that a run sent. The default is the secret in
    /// the environment variable `AGUI_SECRET`, or if unset, a random key: then no resume entry is accepted after a restart, or on
    /// another machine. See [`InterruptKey`].
    pub fn interrupt_key(mut self, key: InterruptKey) -> Self {
        self.settings.proof = self.settings.proof.with_key(key);
        self
    }

    /// Sets the time for which an interrupt can be resumed, if the agent sets no expiry; 24 hours by default. See
    /// [`RunOptions::interrupt_lifetime`](crate::RunOptions::interrupt_lifetime).
    pub fn interrupt_lifetime(mut self, lifetime: Duration) -> Self {
        self.settings.proof = self.settings.proof.with_lifetime(lifetime);
        self
    }

    /// Sets whether interrupts go out under the ids that agents give them, and every resume entry counts: **then a client can
    /// approve calls for which no approval was requested, with arguments of its own** (see [What you may
    /// trust](crate::guide::security#what-you-may-trust)). For clients that expect fixed ids, such as a conformance test. Off by
    /// default, and for runs whose own options say `false`.
    pub fn unsigned_interrupts(mut self, unsigned: bool) -> Self {
        self.settings.proof = self.settings.proof.unsigned(unsigned);
        self
    }
}
