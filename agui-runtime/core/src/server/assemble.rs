//! A server's checks before it listens, and its routes.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::{Extension, Router, middleware};

#[cfg(feature = "a2a")]
use super::a2a;
use super::lifetime::health;
use super::lifetime::health::ServerReadiness;
use super::lifetime::shutdown::StopSignal;
use super::limits::body_time::BodyTimeLimit;
use super::limits::run_slots::RunSlots;
#[cfg(feature = "tool-servers")]
use super::mcp;
use super::metrics::SentCounters;
use super::origins::cors::PageOrigins;
use super::origins::gate::{RequestGate, ServedHosts};
use super::origins::{cors, gate};
use super::response::panicked;
use super::server::{AllowedOrigins, Server};
use super::settings::ServerSettings;
use super::threads::ServerThreads;
use super::threads::run_ends::{IgnoredRunEnds, RunEndListener};
#[cfg(feature = "webhooks")]
use super::webhooks::WebhookOutbox;
#[cfg(feature = "websocket")]
use super::websocket;
use super::{copilotkit, manifest, routes, start_page, tools};
use crate::manifest::{AgentSource, hand_over_if_asked, tell_undeclared};
use crate::server::Error;
use crate::thread::{Memory, ThreadLog};

/// Bytes of conversations that a server without a store remembers, for protocols that need conversations.
const REMEMBERED: usize = 64 * 1024 * 1024;

/// Returns the store for a server that has none.
fn remembered() -> Arc<dyn ThreadLog> {
    Arc::new(Memory::bounded(REMEMBERED))
}

/// Returns an agent with all agents below.
fn with_subagents(source: AgentSource) -> Vec<AgentSource> {
    let (mut found, mut next) = (vec![source], 0);
    while let Some(below) = found.get(next).map(|source| source.subagents.clone()) {
        for source in below.into_iter().map(|source| source()) {
            if !found.iter().any(|known| known.rust_path == source.rust_path) {
                found.push(source);
            }
        }
        next += 1;
    }
    found
}

impl Server {
    /// Returns the listener for the ends of stored runs.
    fn run_ends(&self) -> Result<Arc<dyn RunEndListener>, Error> {
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.settings.webhooks {
            return Ok(WebhookOutbox::new(webhooks)?);
        }
        Ok(Arc::new(IgnoredRunEnds))
    }

    /// Returns the threads that this server stores: in its store, or A2A tasks in memory.
    pub(super) fn stored_threads(&self) -> Result<Option<Arc<ServerThreads>>, Error> {
        let log = self.thread_log.clone();
        #[cfg(feature = "a2a")]
        let log = log.or_else(|| (!self.a2a.is_empty()).then(remembered));
        let log = log.or_else(|| (!self.copilotkit.is_empty()).then(remembered));
        let Some(log) = log else { return Ok(None) };
        let (options, run_ends) = (self.thread_options.clone(), self.run_ends()?);
        Ok(Some(ServerThreads::new(log, options, &self.settings.limits, run_ends)))
    }

    pub(super) fn sources(&self) -> Vec<AgentSource> {
        self.agents.iter().map(|mounted| mounted.source.clone()).collect()
    }

    /// Checks that each agent with private tools has a place for what they return.
    fn check_private_tools(&self) -> Result<(), Error> {
        if self.thread_log.is_some() || self.settings.proof.has_lasting_key() {
            return Ok(());
        }
        let sources = self.sources().into_iter();
        #[cfg(feature = "a2a")]
        let sources = sources.chain(self.a2a.iter().map(a2a::MountedA2a::source));
        #[cfg(feature = "tool-servers")]
        let sources = sources.chain(self.mcp.iter().map(mcp::MountedMcp::source));
        match sources.flat_map(with_subagents).find(|source| source.has_private_tools) {
            Some(source) => Err(Error::NoPrivatePlace { agent: source.name }),
            None => Ok(()),
        }
    }

    /// Returns the methods and paths of other protocols' routes.
    fn other_routes(&self) -> Vec<(&'static str, String)> {
        let routes = std::iter::empty();
        #[cfg(feature = "tool-servers")]
        let routes = {
            let both =
                |mounted: &mcp::MountedMcp| ["POST", "GET"].map(|method| (method, mounted.path.clone()));
            routes.chain(self.mcp.iter().flat_map(both))
        };
        #[cfg(feature = "a2a")]
        let routes = routes.chain(a2a::paths(&self.a2a));
        #[cfg(feature = "websocket")]
        let routes = routes.chain(self.settings.has_websocket.then(|| ("GET", websocket::PATH.to_owned())));
        routes.collect()
    }

    /// Returns the routes that a protocol has below its agents' paths.
    fn routes_below(&self) -> Vec<(&'static str, String)> {
        let routes = std::iter::empty();
        #[cfg(feature = "a2a")]
        let routes = routes.chain(a2a::paths_below(&self.a2a));
        let routes = routes.chain(copilotkit::paths(&self.copilotkit));
        routes.collect()
    }

    /// Returns true if an agent has the path.
    fn has_agent(&self, path: &str) -> bool {
        #[cfg(feature = "a2a")]
        if self.a2a.iter().any(|mounted| mounted.path == path) {
            return true;
        }
        self.agents.iter().any(|mounted| mounted.path == path)
    }

    pub(super) fn paths(&self) -> String {
        let paths = self.agents.iter().map(|mounted| &mounted.path);
        #[cfg(feature = "a2a")]
        let paths = paths.chain(self.a2a.iter().map(|mounted| &mounted.path));
        let paths: Vec<_> = paths.map(|path| format!("`{path}`")).collect();
        if paths.is_empty() { "no path".to_owned() } else { paths.join(", ") }
    }

    /// Checks everything that can be wrong with a server before it listens.
    pub(super) fn check(&self, listening: Option<SocketAddr>) -> Result<RequestGate, Error> {
        let (health, is_kept) = (self.health.as_deref(), self.thread_log.is_some());
        let (others, below) = (self.other_routes(), self.routes_below());
        routes::check(&self.agents, others, below, health, is_kept, self.routes.as_ref())?;
        copilotkit::check(&self.copilotkit, &self.agents)?;
        tools::check(self.sources())?;
        #[cfg(feature = "a2a")]
        for mounted in &self.a2a {
            routes::check_restart(&mounted.path, mounted.agent())?;
            tools::check(vec![mounted.source()])?;
        }
        #[cfg(feature = "tool-servers")]
        tools::check(self.mcp.iter().map(mcp::MountedMcp::source).collect())?;
        if let Some(path) = self.thread_options.stray_path(|path| self.has_agent(path)) {
            return Err(Error::NoSuchAgent { path: path.to_owned() });
        }
        self.settings.proof.check().map_err(Error::InterruptKey)?;
        self.check_private_tools()?;
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = &self.settings.webhooks {
            webhooks.check()?;
            if !is_kept {
                return Err(Error::WebhooksWithoutThreads);
            }
        }
        let origins = match &self.origins {
            AllowedOrigins::Any => PageOrigins::Any,
            AllowedOrigins::Named(named) => PageOrigins::named(named)?,
        };
        let hosts = ServedHosts::new(self.hosts.as_deref(), listening)?;
        Ok(RequestGate { origins, hosts, body_time: BodyTimeLimit::new(self.settings.limits.body_timeout) })
    }

    /// Returns a checked server's routes; `stop` is given for a server that owns its listener.
    pub(super) fn assemble(
        self,
        gate: RequestGate,
        stop: Option<&StopSignal>,
        threads: Option<&Arc<ServerThreads>>,
        readiness: &Arc<ServerReadiness>,
    ) -> Router {
        let sources = self.sources();
        hand_over_if_asked(sources.iter().cloned());
        tell_undeclared(&sources);
        let paths = self.paths();
        let in_development = self.settings.in_development;
        let start_page =
            in_development.map(|address| start_page::page(&self.agents, address, self.expose_manifest));
        let run_slots = RunSlots::new(&self.settings.limits);
        let sent = Arc::new(SentCounters::new());
        let stored = threads.filter(|_| self.thread_log.is_some()).cloned();
        let settings =
            ServerSettings { stop: stop.cloned(), run_slots, sent, threads: stored, ..self.settings };
        let settings = Arc::new(settings);
        #[cfg(feature = "websocket")]
        let of_sockets = settings.has_websocket.then(|| routes::socket_paths(&self.agents));
        let (mut router, agents) = routes::agents(self.agents, &settings);
        if let Some(threads) = threads {
            router = copilotkit::routes(self.copilotkit, router, agents, threads, &settings);
        }
        #[cfg(feature = "a2a")]
        if let Some(threads) = threads {
            router = a2a::routes(self.a2a, router, threads, &settings);
        }
        #[cfg(feature = "tool-servers")]
        {
            router = mcp::routes(self.mcp, router, &settings);
        }
        if self.expose_manifest {
            router = manifest::with_hash(manifest::with_route(router, sources.clone()), sources);
        }
        router = routes::with_wrong_method(router);
        let gate = Arc::new(gate);
        let reading = Arc::clone(&gate);
        router = router.layer(middleware::from_fn(move |request, next| {
            gate::pass_reading(Arc::clone(&reading), request, next)
        }));
        if self.routes.is_none() && stop.is_some() {
            // In an application, unknown paths are for the application to answer.
            router = routes::with_not_found(router, paths);
        }
        router = self.layers.into_iter().fold(router, |router, around| around(router));
        #[cfg(feature = "websocket")]
        if let Some(paths) = of_sockets {
            router = websocket::route(router, paths, &gate, &settings.limits, &settings.run_slots);
        }
        if let Some(routes) = self.routes {
            router = router.merge(routes.layer(Extension(settings)));
        }
        if let Some(page) = start_page {
            router = start_page::with_fallback_page(router, page);
        }
        let router =
            router.layer(middleware::from_fn(panicked::catch_panic)).layer(cors::layer(&gate.origins));
        let router = router
            .layer(middleware::from_fn(move |request, next| gate::pass(Arc::clone(&gate), request, next)));
        match self.health {
            Some(path) => health::routes(router, &path, Arc::clone(readiness)),
            None => router,
        }
    }
}
