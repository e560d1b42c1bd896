//! axum, which reads the body and writes frames that were encoded before.

use axum::Router;
use axum::body::Body;
use axum::routing::post;
use bytes::Bytes;
use http::header;
use tokio::net::TcpListener;

use super::frames::{Frames, encoded};
use super::serve_router;
use crate::process::Fault;
use crate::shape::Shape;

pub async fn serve(shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    let frames = encoded(shape);
    let run = move |_: Bytes| async move {
        let body = Body::from_stream(Frames::new(shape, &frames));
        ([(header::CONTENT_TYPE, "text/event-stream")], body)
    };
    serve_router(Router::new().route("/", post(run)), listener).await
}
