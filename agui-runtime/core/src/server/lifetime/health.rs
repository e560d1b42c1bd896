//! Liveness and readiness, for load balancers and orchestrators.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::server::Server;
use crate::server::response::rejection::json_response;
use crate::server::threads::ServerThreads;

/// The time that the store has to respond.
const STORE_PATIENCE: Duration = Duration::from_secs(1);

/// The time for which a store's response counts: callers without credentials must not load the store. Together with the patience
/// this stays below 2 s, within which a balancer should know.
const FRESH: Duration = Duration::from_millis(500);

impl Server {
    /// Serves `GET path/live` and `GET path/ready`, for load balancers and orchestrators. Off by default.
    ///
    /// | request | response |
    /// |---|---|
    /// | `GET path/live` | status 200, `{"status":"live"}`, as long as the program can respond |
    /// | `GET path/ready` | status 200, `{"status":"ready"}` |
    /// | | status 503, `{"status":"shutting_down"}`, from the [shutdown request](crate::Limits::shutdown_delay) on |
    /// | | status 503, `{"status":"store_unavailable"}`, while the [thread store](Self::threads) takes no writes, or does not respond within 1 s; the store is probed at most twice a second |
    ///
    /// Both respond to every host and origin, because a balancer calls a server by address; before all [layers](Self::layer),
    /// because a balancer has no credentials; and while all run slots are taken. A full server is ready: further runs are refused
    /// with `server_busy`, and the clients come back. The responses contain nothing about the program. Both need a connection: see
    /// [`Limits::connections`](crate::Limits::connections).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::{Error, Limits, Server};
    ///
    /// // A balancer that asks every 5 s notices the shutdown before the server refuses connections.
    /// let limits = Limits::default().shutdown_delay(Duration::from_secs(6));
    /// let server = Server::new().health("/health").limits(limits);
    /// assert!(server.router().is_ok());
    ///
    /// assert!(matches!(Server::new().health("health").router(), Err(Error::InvalidPath { .. })));
    /// ```
    pub fn health(mut self, path: &str) -> Self {
        self.health = Some(path.to_owned());
        self
    }
}

/// Returns the paths for liveness and readiness below a path.
pub(in crate::server) fn paths(path: &str) -> [String; 2] {
    let path = path.trim_end_matches('/');
    [format!("{path}/live"), format!("{path}/ready")]
}

/// A server's readiness for requests.
pub(in crate::server) struct ServerReadiness {
    is_draining: AtomicBool,
    threads: Option<Arc<ServerThreads>>,
    store: Mutex<StoreProbe>,
}

/// The store's last response, and the pending probe.
#[derive(Default)]
struct StoreProbe {
    last: Option<StoreProbeResult>,
    /// The probe that the store has not completed yet. The probe outlives the request that started it, so that callers which give
    /// up early share one probe.
    asking: Option<JoinHandle<StoreProbeResult>>,
}

/// The result of a store probe, and when it came.
#[derive(Clone, Copy)]
struct StoreProbeResult {
    at: Instant,
    is_there: bool,
}

impl StoreProbe {
    fn fresh(&self) -> Option<bool> {
        self.last.filter(|last| last.at.elapsed() < FRESH).map(|last| last.is_there)
    }
}

impl Drop for StoreProbe {
    /// The thread store is not held longer than by its server.
    fn drop(&mut self) {
        if let Some(asking) = self.asking.take() {
            asking.abort();
        }
    }
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum HealthStatus {
    Live,
    Ready,
    ShuttingDown,
    StoreUnavailable,
}

#[derive(Serialize)]
struct HealthResponse {
    status: HealthStatus,
}

impl ServerReadiness {
    pub(in crate::server) fn new(threads: Option<Arc<ServerThreads>>) -> Arc<Self> {
        Arc::new(Self { is_draining: AtomicBool::new(false), threads, store: Mutex::default() })
    }

    /// Records that the server is about to end.
    pub(super) fn drain(&self) {
        self.is_draining.store(true, Ordering::Release);
    }

    async fn status(&self) -> HealthStatus {
        // Also after the store: it may take its time.
        if self.is_draining.load(Ordering::Acquire) {
            return HealthStatus::ShuttingDown;
        }
        let has_store = self.has_store().await;
        match self.is_draining.load(Ordering::Acquire) {
            true => HealthStatus::ShuttingDown,
            false if has_store => HealthStatus::Ready,
            false => HealthStatus::StoreUnavailable,
        }
    }

    /// Probes the store, unless the last result is fresh; concurrent requests wait for the same result.
    async fn has_store(&self) -> bool {
        let Some(threads) = &self.threads else { return true };
        let mut store = self.store.lock().await;
        loop {
            if let Some(is_there) = store.fresh() {
                return is_there;
            }
            let asking = store.asking.get_or_insert_with(|| tokio::spawn(ask(Arc::clone(threads))));
            let answered = asking.await;
            store.asking = None;
            match answered {
                Ok(answered) => store.last = Some(answered),
                // The store panicked, or the executor ends.
                Err(_) => return false,
            }
        }
    }
}

async fn ask(threads: Arc<ServerThreads>) -> StoreProbeResult {
    let is_there = matches!(timeout(STORE_PATIENCE, threads.takes_writes()).await, Ok(true));
    StoreProbeResult { at: Instant::now(), is_there }
}

/// Adds the routes, outside all layers around the other routes.
pub(in crate::server) fn routes(router: Router, path: &str, readiness: Arc<ServerReadiness>) -> Router {
    let [live_path, ready_path] = paths(path);
    let routes = Router::new()
        .route(&live_path, get(|| async { response(HealthStatus::Live) }))
        .route(&ready_path, get(ready))
        .with_state(readiness);
    router.merge(routes)
}

async fn ready(State(readiness): State<Arc<ServerReadiness>>) -> Response {
    response(readiness.status().await)
}

fn response(status: HealthStatus) -> Response {
    let code = match status {
        HealthStatus::Live | HealthStatus::Ready => StatusCode::OK,
        HealthStatus::ShuttingDown | HealthStatus::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
    };
    let mut response = json_response(code, &HealthResponse { status }).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
