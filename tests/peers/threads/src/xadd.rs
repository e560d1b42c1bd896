//! A server by hand: one `XADD` for each token, and the token to the client after it.

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::post;
use bytes::Bytes;
use futures::stream;
use http::header::CONTENT_TYPE;
use redis::aio::MultiplexedConnection;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::load::Load;
use crate::process::Fault;

pub async fn serve(url: &str, listener: TcpListener) -> Result<(), Fault> {
    let redis = redis::Client::open(url)?.get_multiplexed_async_connection().await?;
    let router = Router::new().route("/", post(run)).with_state(redis);
    Ok(axum::serve(listener, router).await?)
}

async fn run(State(redis): State<MultiplexedConnection>, body: Bytes) -> impl IntoResponse {
    let (frames, mut receiver) = mpsc::channel::<Bytes>(16);
    // A task, because the run must go on when its client leaves.
    tokio::spawn(async move {
        if let Err(fault) = produce(redis, &body, frames).await {
            eprintln!("a stream failed: {fault}");
        }
    });
    let frames = stream::poll_fn(move |context| {
        receiver.poll_recv(context).map(|frame| frame.map(Ok::<_, Infallible>))
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(frames))
}

async fn produce(
    mut redis: MultiplexedConnection,
    body: &[u8],
    frames: mpsc::Sender<Bytes>,
) -> Result<(), Fault> {
    let input: Value = serde_json::from_slice(body)?;
    let load: Load = serde_json::from_str(input["messages"][0]["content"].as_str().unwrap_or_default())?;
    let key = format!("run:{}", input["runId"].as_str().unwrap_or_default());
    let mut send = async |event: String| -> Result<(), Fault> {
        let id: String =
            redis::cmd("XADD").arg(&key).arg("*").arg("e").arg(&event).query_async(&mut redis).await?;
        // The client may have left.
        let _ = frames.send(format!("id: {id}\ndata: {event}\n\n").into()).await;
        Ok(())
    };
    let begun = Instant::now();
    send(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()).await?;
    send(r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#.to_owned()).await?;
    for number in 0..load.tokens {
        load.due(begun, number).await;
        let token = Load::token(number);
        send(format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{token}"}}"#)).await?;
    }
    load.hold().await;
    send(r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned()).await?;
    send(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.to_owned()).await
}
