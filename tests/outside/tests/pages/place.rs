//! The surroundings of a scene, behind one address: the model and its gates, the networks, and the files of pages without a server.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::stream;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::model::{Gates, PACE, reply};
use crate::network::Network;

/// | request | effect |
/// |---|---|
/// | `POST /v1/chat/completions` | the model answers |
/// | `POST /open/{story}` | the second half of a story comes |
/// | `POST /cut/{network}`, `POST /restore/{network}` | a network is lost, and comes back |
/// | `GET /pages/{page}/{file}` | a file of a page |
pub struct Place {
    runtime: Runtime,
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    gates: Gates,
    networks: Mutex<Vec<Network>>,
    folders: Mutex<BTreeMap<String, PathBuf>>,
}

/// A network as a scene knows it.
pub struct Numbered {
    pub number: usize,
    pub url: String,
}

impl Place {
    pub fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let shared = Arc::<Shared>::default();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route("/open/{story}", post(open))
            .route("/cut/{network}", post(cut))
            .route("/restore/{network}", post(restore))
            .route("/pages/{page}/{*file}", get(file))
            .with_state(Arc::clone(&shared));
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Self { runtime, address, shared }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The value of `AGUI_MODEL` for the model here.
    pub fn model(&self) -> String {
        format!("{}/v1#house-model", self.url())
    }

    /// Makes a network before a server.
    pub fn network(&self, server: &str) -> Numbered {
        let server = server.trim_start_matches("http://").parse().unwrap();
        let network = self.runtime.block_on(Network::to(server));
        let url = network.url();
        let mut networks = self.shared.networks.lock().unwrap_or_else(PoisonError::into_inner);
        networks.push(network);
        Numbered { number: networks.len() - 1, url }
    }

    /// Serves the page in a folder, and returns its address.
    pub fn page(&self, name: &str, folder: PathBuf) -> String {
        self.shared.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), folder);
        format!("{}/pages/{name}/index.html", self.url())
    }
}

type Here = State<Arc<Shared>>;

async fn complete(State(here): Here, Json(request): Json<Value>) -> Response {
    let answer = reply(&request);
    let pieces = answer.pieces.into_iter().enumerate();
    let body = stream::unfold((pieces, answer.waits, here), |(mut pieces, waits, here)| async move {
        let (at, piece) = pieces.next()?;
        if let Some((place, story)) = &waits {
            sleep(PACE).await;
            if at == *place {
                here.gates.pass(story).await;
            }
        }
        Some((Ok::<_, Infallible>(piece), (pieces, waits, here)))
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(body)).into_response()
}

async fn open(State(here): Here, Path(story): Path<String>) {
    here.gates.open(&story);
}

async fn cut(State(here): Here, Path(network): Path<usize>) {
    here.networks.lock().unwrap_or_else(PoisonError::into_inner)[network].cut();
}

async fn restore(State(here): Here, Path(network): Path<usize>) {
    here.networks.lock().unwrap_or_else(PoisonError::into_inner)[network].restore();
}

async fn file(State(here): Here, Path((page, file)): Path<(String, String)>) -> Response {
    let folder = here.folders.lock().unwrap_or_else(PoisonError::into_inner).get(&page).cloned();
    let Some(text) = folder.and_then(|folder| fs::read_to_string(folder.join(&file)).ok()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = match file.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        _ => "text/html; charset=utf-8",
    };
    ([(CONTENT_TYPE, kind)], text).into_response()
}
