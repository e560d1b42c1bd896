//! The files of a page, served without Node.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A server for the files in a folder, which ends with this value.
pub struct PageFiles {
    _runtime: Runtime,
    address: SocketAddr,
}

impl PageFiles {
    pub fn serve(folder: &Path) -> Self {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new().fallback(file).with_state(folder.to_owned());
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Self { _runtime: runtime, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

async fn file(State(folder): State<PathBuf>, uri: Uri) -> Response {
    let (name, kind) = match uri.path() {
        "/" => ("index.html", "text/html; charset=utf-8"),
        "/page.js" => ("page.js", "text/javascript"),
        "/page.css" => ("page.css", "text/css"),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    match fs::read_to_string(folder.join(name)) {
        Ok(text) => ([(CONTENT_TYPE, kind)], text).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
