//! `/lab/mcp_token`: an MCP server behind a token, which a function gives for the request's user.

use std::convert::Infallible;
use std::future::pending;
use std::net::SocketAddr;

use agui_runtime::Server;
use agui_runtime::mcp::{McpClient, McpEndpoint, McpServer, McpTokenRequest};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;

/// The user of a request. An application takes the name from its sign-in; the tour takes a header.
#[derive(Clone)]
pub struct Visitor(String);

impl Visitor {
    pub fn of_request(headers: &HeaderMap) -> Self {
        let name = headers.get("x-tour-user").and_then(|name| name.to_str().ok());
        let is_plain =
            |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Self(name.filter(is_plain).unwrap_or("guest").to_owned())
    }
}

/// Shows what the user has borrowed.
#[agent]
pub async fn reader(run: &mut Run<Reader>, _: Input<Reader>, #[request] user: &Visitor) -> Result<(), Stop> {
    let user = user.0.clone();
    let token = move |request: McpTokenRequest| {
        let user = user.clone();
        async move {
            Ok::<_, Infallible>(match request.challenge.and_then(|challenge| challenge.scope) {
                None => format!("{user}-expired"),
                // An application refreshes its token here, for the scope that the server demands.
                Some(scope) => format!("{user}-{scope}"),
            })
        }
    };
    let address = library().await.map_err(|error| Stop::error(error.to_string()))?;
    let endpoint = McpEndpoint::new(format!("http://{address}/mcp")).token_from(token);
    let library = McpClient::http(endpoint).await?;
    let model = Model::from(ScriptedModel::new([
        Reply::call("borrowed", json!({})),
        Reply::text("That is all you have."),
    ]));
    run.chat(&model).tools(library.tools().await?).await
}

/// The owner of a token.
#[derive(Clone)]
pub struct TokenOwner(String);

/// Says what a reader has borrowed.
#[tool]
async fn borrowed(owner: &TokenOwner) -> String {
    format!("{} has borrowed Dune.", owner.0)
}

/// Has the shelves of all readers.
#[agent(tools = [borrowed])]
async fn librarian(
    _: &mut Run<Librarian>,
    _: Input<Librarian>,
    #[request] _owner: &TokenOwner,
) -> Result<(), Stop> {
    Ok(())
}

/// Returns the address of the server in this program. Usually the server is elsewhere.
async fn library() -> std::io::Result<SocketAddr> {
    static ADDRESS: OnceCell<SocketAddr> = OnceCell::const_new();
    let serve = async || {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let server = Server::new().mcp("/mcp", McpServer::new(Librarian::new())).layer(from_fn(admit));
        tokio::spawn(async move { server.serve_on(listener, pending()).await });
        Ok(address)
    };
    ADDRESS.get_or_try_init(serve).await.copied()
}

/// Lets requests with a token for books through.
async fn admit(mut request: Request, next: Next) -> Response {
    let bearer = request.headers().get("authorization").and_then(|header| header.to_str().ok());
    let owner = bearer.and_then(|header| header.strip_prefix("Bearer ")?.strip_suffix("-books"));
    let Some(owner) = owner.map(str::to_owned) else {
        let demand =
            r#"Bearer error="invalid_token", error_description="The token has expired", scope="books""#;
        return (StatusCode::UNAUTHORIZED, [("www-authenticate", demand)]).into_response();
    };
    request.extensions_mut().insert(TokenOwner(owner));
    next.run(request).await
}
