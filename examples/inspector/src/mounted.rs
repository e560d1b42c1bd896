//! The agents of this program, called without a socket: the page of a server inspects the server itself, whatever
//! address it listens on.

use agui_runtime::client::{ClientError, Frame, Frames, Upstream};
use agui_runtime::protocol::{AgentCapabilities, RunAgentInput};
use agui_runtime::wire::sse::Decoder;
use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::response::Response;
use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use http::{Request, header};
use tower_service::Service as _;

/// The longest answer that is not a stream, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// The agent at a path of a router, as [`agui_runtime::Server::router`] returns it.
///
/// ```
/// use agui_runtime::Server;
/// use agui_runtime::client::Session;
/// use agui_runtime::prelude::*;
/// use agui_inspector::Mounted;
///
/// /// Greets.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
///     run.say("Hello!").await;
///     Ok(())
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let router = Server::new().agent("/greeter", Greeter::new()).router()?;
/// let mut session: Session = Session::new(Mounted::new(router, "/greeter"));
/// assert_eq!(session.run().await?.text(), "Hello!");
/// # Ok(()) })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Mounted {
    router: Router,
    path: String,
}

impl Mounted {
    /// Creates an upstream for the agent at `path`.
    pub fn new(router: Router, path: impl Into<String>) -> Self {
        Self { router, path: path.into() }
    }
}

impl Upstream for Mounted {
    fn open(&self, input: RunAgentInput) -> Frames {
        let Self { router, path } = self.clone();
        let answer = async move {
            let body = serde_json::to_vec(&input).map_err(ClientError::other)?;
            let request =
                Request::post(path).header(header::CONTENT_TYPE, "application/json").body(body.into());
            let response = call(router, request.map_err(ClientError::other)?).await;
            match accepted(response).await {
                Ok(body) => Ok(frames(body)),
                Err(error) => Err(error),
            }
        };
        stream::once(answer).try_flatten().boxed()
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        let path = format!("{}/capabilities", self.path.trim_end_matches('/'));
        let router = self.router.clone();
        Box::pin(async move {
            let request = Request::get(path).body(Body::empty()).map_err(ClientError::other)?;
            let body = accepted(call(router, request).await).await?;
            let text = to_bytes(Body::from_stream(body), MAX_ANSWER).await.map_err(ClientError::other)?;
            serde_json::from_slice(&text).map(Some).map_err(ClientError::Capabilities)
        })
    }
}

async fn call(mut router: Router, request: Request<Body>) -> Response {
    // A router is always ready.
    match router.call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// Returns the body of an answer that is no refusal.
async fn accepted(response: Response) -> Result<BodyDataStream, ClientError> {
    let (head, body) = response.into_parts();
    if head.status.is_success() {
        return Ok(body.into_data_stream());
    }
    let body = to_bytes(body, MAX_ANSWER).await.map_err(ClientError::other)?;
    let json = serde_json::from_slice(&body).ok();
    Err(ClientError::Status {
        status: head.status.as_u16(),
        body: String::from_utf8_lossy(&body).into_owned(),
        json,
    })
}

fn frames(body: BodyDataStream) -> Frames {
    let mut decoder = Decoder::new();
    body.flat_map(move |piece| {
        let mut found = Vec::new();
        match piece {
            Ok(piece) => decoder.push(&piece),
            Err(error) => found.push(Err(ClientError::other(error))),
        }
        loop {
            match decoder.next() {
                Ok(Some(record)) => found.push(Ok(Frame::from(record.into_owned()))),
                Ok(None) => break,
                Err(error) => {
                    found.push(Err(error.into()));
                    break;
                }
            }
        }
        stream::iter(found)
    })
    .boxed()
}
