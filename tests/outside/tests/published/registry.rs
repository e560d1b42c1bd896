//! A registry of npm with the packages of a folder: what `npm publish` would have sent there.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use agui_tests::outside::finish;
use axum::Json;
use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::{Value, json};

/// The packages by name, each with its description and its archive.
type Packages = BTreeMap<String, (Value, Vec<u8>)>;

/// A running registry, which ends with this value.
pub(crate) struct Registry {
    pub(crate) url: String,
    _runtime: tokio::runtime::Runtime,
}

impl Registry {
    /// Serves the packages, `*.tgz`, of a folder.
    pub(crate) fn of(folder: &Path) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/{name}", get(describe))
            .route("/{name}/archive.tgz", get(archive))
            .with_state((address, packages(folder)));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { url: format!("http://{address}/"), _runtime: runtime }
    }
}

fn packages(folder: &Path) -> Packages {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let archives = files.filter(|file| file.extension().is_some_and(|ending| ending == "tgz"));
    let packages = archives.map(|archive| {
        let mut tar = Command::new("tar");
        tar.arg("-xOzf").arg(&archive).arg("package/package.json");
        let description: Value = finish(tar, "", Duration::from_secs(60)).json();
        (description["name"].as_str().unwrap().to_owned(), (description, fs::read(&archive).unwrap()))
    });
    packages.collect()
}

async fn describe(
    State((address, packages)): State<(SocketAddr, Packages)>,
    UrlPath(name): UrlPath<String>,
) -> Result<Json<Value>, StatusCode> {
    let (description, _) = packages.get(&name).ok_or(StatusCode::NOT_FOUND)?;
    let version = description["version"].as_str().unwrap();
    let mut described = description.clone();
    described["dist"] = json!({ "tarball": format!("http://{address}/{name}/archive.tgz") });
    Ok(Json(json!({ "name": name, "dist-tags": { "latest": version }, "versions": { version: described } })))
}

async fn archive(
    State((_, packages)): State<(SocketAddr, Packages)>,
    UrlPath(name): UrlPath<String>,
) -> Result<Vec<u8>, StatusCode> {
    packages.get(&name).map(|(_, bytes)| bytes.clone()).ok_or(StatusCode::NOT_FOUND)
}
