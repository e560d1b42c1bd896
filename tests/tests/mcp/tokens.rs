//! Access tokens that come from a function of the application.

use std::sync::{Arc, Mutex};

use agui_runtime::mcp::{McpClient, McpEndpoint, McpError, McpTokenRequest};
use axum::http::header::AUTHORIZATION;
use serde_json::json;

use crate::raw_http::{Asked, RawServer, plain, with_header};
use crate::wired::{block_on, through};

const DEMAND: &str = r#"Bearer error="invalid_token", error_description="expired", scope="files:read", resource_metadata="https://files.example/.well-known/oauth-protected-resource""#;

fn token_of(asked: &Asked) -> Option<&str> {
    asked.headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// A server that accepts only this token, which a test may change.
async fn server(valid: Arc<Mutex<&'static str>>) -> RawServer {
    RawServer::serve(move |asked| match token_of(asked) {
        Some(token) if token == *valid.lock().unwrap() => asked.usual(),
        _ => with_header(plain(401, ""), "www-authenticate", DEMAND),
    })
    .await
}

type TokenRequests = Arc<Mutex<Vec<McpTokenRequest>>>;

/// An endpoint whose tokens are these, one for each request, and the last for all others.
fn endpoint(server: &RawServer, tokens: &'static [&'static str]) -> (McpEndpoint, TokenRequests) {
    let requests = TokenRequests::default();
    let seen = Arc::clone(&requests);
    let token = move |request: McpTokenRequest| {
        let mut seen = seen.lock().unwrap();
        let token = tokens.get(seen.len()).or(tokens.last()).map(|token| (*token).to_owned());
        seen.push(request);
        async move { token.ok_or("the user has not signed in") }
    };
    (McpEndpoint::new(server.url()).token_from(token), requests)
}

#[test]
fn a_refused_token_is_refreshed_and_the_request_is_made_once_more() {
    block_on(async {
        let valid = Arc::new(Mutex::new("one"));
        let server = server(Arc::clone(&valid)).await;
        let (endpoint, requests) = endpoint(&server, &["one", "two"]);
        let client = McpClient::http(endpoint).await.unwrap();
        assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
        assert_eq!(requests.lock().unwrap().len(), 1, "the token is asked for once");
        assert_eq!(requests.lock().unwrap()[0].challenge, None);

        *valid.lock().unwrap() = "two";
        assert_eq!(through(&client, "go", json!({})).await, ("gone".to_owned(), false));
        let requests = requests.lock().unwrap();
        let challenge = requests[1].challenge.as_ref().unwrap();
        assert_eq!(requests.len(), 2);
        assert_eq!(challenge.error.as_deref(), Some("invalid_token"));
        assert_eq!(challenge.error_description.as_deref(), Some("expired"));
        assert_eq!(challenge.scope.as_deref(), Some("files:read"));
        let metadata = "https://files.example/.well-known/oauth-protected-resource";
        assert_eq!(challenge.resource_metadata.as_deref(), Some(metadata));
        let made = server.asked.all().into_iter().filter(|asked| asked.what() == "tools/call");
        assert_eq!(
            made.map(|asked| token_of(&asked).unwrap().to_owned()).collect::<Vec<_>>(),
            ["one", "two"]
        );
    });
}

#[test]
fn a_demand_that_no_token_meets_is_shown() {
    block_on(async {
        let server = server(Arc::new(Mutex::new("another"))).await;
        let (endpoint, requests) = endpoint(&server, &["abc123"]);
        let error = McpClient::http(endpoint).await.unwrap_err();
        let McpError::Connect { .. } = &error else { panic!("{error:?}") };
        let text = error.to_string();
        assert!(text.contains("it demands authorization"), "{text}");
        assert!(text.contains("error `invalid_token`, reason `expired`, scope `files:read`"), "{text}");
        assert!(!text.contains("abc123"), "no text has the token: {text}");
        assert_eq!(error.challenge().unwrap().scope.as_deref(), Some("files:read"));
        assert_eq!(requests.lock().unwrap().len(), 2);
        // The function had no other token, so the request was not made again.
        assert_eq!(server.asked.all().len(), 1);
    });
}

#[test]
fn a_user_without_a_token_reaches_no_server() {
    block_on(async {
        let server = server(Arc::new(Mutex::new("one"))).await;
        let (endpoint, _) = endpoint(&server, &[]);
        let error = McpClient::http(endpoint).await.unwrap_err();
        assert!(
            error.to_string().contains("there is no token for it: the user has not signed in"),
            "{error}"
        );
        assert!(error.challenge().is_none());
        assert_eq!(server.asked.all().len(), 0);
    });
}

#[test]
fn each_user_has_an_own_token() {
    block_on(async {
        let server = RawServer::serve(Asked::usual).await;
        for user in ["ada", "bo"] {
            let token = move |_| async move { Ok::<_, std::io::Error>(user.to_owned()) };
            let client = McpClient::http(McpEndpoint::new(server.url()).token_from(token)).await.unwrap();
            assert_eq!(client.tools().await.unwrap().len(), 1);
        }
        let lists = server.asked.all().into_iter().filter(|asked| asked.what() == "tools/list");
        assert_eq!(
            lists.map(|asked| token_of(&asked).unwrap().to_owned()).collect::<Vec<_>>(),
            ["ada", "bo"]
        );
    });
}

#[test]
fn another_origin_gets_no_token() {
    block_on(async {
        let thief = RawServer::serve(Asked::usual).await;
        let target = format!("http://{}/mcp", thief.address);
        let server = RawServer::serve(move |_| with_header(plain(307, ""), "location", &target)).await;
        let (endpoint, _) = endpoint(&server, &["one"]);
        let error = McpClient::http(endpoint).await.unwrap_err();
        assert!(error.to_string().contains("is not followed"), "{error}");
        assert_eq!(thief.asked.all().len(), 0);
    });
}

#[test]
fn a_token_with_a_line_end_is_refused() {
    block_on(async {
        let server = server(Arc::new(Mutex::new("one"))).await;
        let (endpoint, _) = endpoint(&server, &["one\r\nx: y"]);
        let error = McpClient::http(endpoint).await.unwrap_err();
        assert!(error.to_string().contains("control characters"), "{error}");
        assert_eq!(server.asked.all().len(), 0);
    });
}
