//! hyper, which reads the body and writes frames that were encoded before.

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use tokio::net::TcpListener;

use super::frames::{Frames, encoded};
use crate::process::Fault;
use crate::shape::Shape;

pub async fn serve(shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    let frames = encoded(shape);
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        let frames = Arc::clone(&frames);
        let run = service_fn(move |request| answer(request, shape, Arc::clone(&frames)));
        tokio::spawn(async move {
            // A client that leaves ends its connection with an error.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(socket), run).await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    shape: Shape,
    frames: Arc<[Bytes]>,
) -> Result<Response<Frames>, hyper::Error> {
    request.into_body().collect().await?;
    let mut response = Response::new(Frames::new(shape, &frames));
    let media_type = http::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    Ok(response)
}
