//! A connection over HTTP/1 or HTTP/2, as its first bytes say.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::server::conn::{http1, http2};
use hyper_util::rt::TokioIo;

use super::service::RequestService;
use super::socket::ConnectionSocket;
use super::streams::StreamSpawner;

/// The first bytes of an HTTP/2 client (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// hyper's settings for both versions.
pub(super) struct HttpBuilders {
    pub(super) http1: http1::Builder,
    pub(super) http2: http2::Builder<StreamSpawner>,
}

/// A connection as a future.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all connections have the largest, and a box would be another allocation"
)]
pub(super) enum HttpConnection<'b> {
    /// `None` only while the version changes.
    Unknown(Option<(ConnectionSocket, RequestService)>, &'b HttpBuilders),
    Http1(http1::UpgradeableConnection<TokioIo<ConnectionSocket>, RequestService>),
    /// Boxed, because HTTP/1 connections are more frequent and smaller.
    Http2(Pin<Box<http2::Connection<TokioIo<ConnectionSocket>, RequestService, StreamSpawner>>>),
}

impl<'b> HttpConnection<'b> {
    pub(super) fn new(
        socket: ConnectionSocket,
        requests: RequestService,
        builders: &'b HttpBuilders,
    ) -> Self {
        Self::Unknown(Some((socket, requests)), builders)
    }

    /// Takes no more requests, and ends after those in progress.
    pub(super) fn graceful_shutdown(&mut self) {
        match self {
            Self::Unknown(reading, _) => *reading = None,
            Self::Http1(connection) => Pin::new(connection).graceful_shutdown(),
            Self::Http2(connection) => connection.as_mut().graceful_shutdown(),
        }
    }
}

impl Future for HttpConnection<'_> {
    type Output = Result<(), ConnectionFailure>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match &mut *self {
                Self::Unknown(reading, builders) => {
                    let Some((socket, _)) = reading else { return Poll::Ready(Ok(())) };
                    let is_http2 = ready!(poll_version(socket, cx)).map_err(ConnectionFailure::Socket)?;
                    let Some((socket, requests)) = reading.take() else { return Poll::Ready(Ok(())) };
                    if is_http2 {
                        requests.member.state.speaks_http2();
                    }
                    let socket = TokioIo::new(socket);
                    *self = if is_http2 {
                        Self::Http2(Box::pin(builders.http2.serve_connection(socket, requests)))
                    } else {
                        Self::Http1(builders.http1.serve_connection(socket, requests).with_upgrades())
                    };
                }
                Self::Http1(connection) => {
                    return Pin::new(connection).poll(cx).map_err(ConnectionFailure::Http);
                }
                Self::Http2(connection) => {
                    return connection.as_mut().poll(cx).map_err(ConnectionFailure::Http);
                }
            }
        }
    }
}

/// Reads until the bytes differ from the preface, or contain all of it. True for HTTP/2.
fn poll_version(socket: &mut ConnectionSocket, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
    loop {
        let (ahead, is_end) = ready!(socket.poll_ahead(cx))?;
        let compared = ahead.len().min(PREFACE.len());
        if is_end || ahead.get(..compared) != PREFACE.get(..compared) {
            return Poll::Ready(Ok(false));
        }
        if compared == PREFACE.len() {
            return Poll::Ready(Ok(true));
        }
    }
}

/// The reason why a connection ended early.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectionFailure {
    #[error(transparent)]
    Socket(io::Error),
    #[error(transparent)]
    Http(hyper::Error),
}
