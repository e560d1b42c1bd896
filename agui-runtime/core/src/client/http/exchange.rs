//! Run requests, and the upstream implementation for sessions.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::{StreamExt, TryStreamExt, stream};
use http::header::CONTENT_TYPE;
use http::{HeaderName, HeaderValue};
use reqwest::Response;

use super::follow::{Follow, Target};
use super::limit::Deadlines;
use super::reader::Reader;
#[cfg(feature = "websocket")]
use super::websocket::RunFrame;
use super::{Accept, HttpAgent, answer, redirect};
use crate::client::{ClientError, Frames, Upstream, Warnings};
#[cfg(feature = "dialect")]
use crate::dialect::snake_case;
use crate::protocol::{AgentCapabilities, RunAgentInput, ThreadId};

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The header with the last received event's id (WHATWG HTML, 9.2).
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

impl HttpAgent {
    /// Sends a run request, or a request to connect to a thread.
    pub(super) async fn post(
        &self,
        target: Target,
        input: Bytes,
        cursor: Option<&str>,
        deadlines: Deadlines,
    ) -> Result<Response, ClientError> {
        // Only server-sent events have ids.
        let continues = target == Target::Connect || cursor.is_some();
        let mut headers = self.headers(if continues { Accept::Sse } else { self.accept }.header());
        headers.insert(CONTENT_TYPE, JSON);
        if let Some(cursor) = cursor {
            let cursor = HeaderValue::from_str(cursor).map_err(ClientError::other)?;
            headers.insert(LAST_EVENT_ID, cursor);
        }
        let url = match target {
            Target::Run => self.url.clone(),
            Target::Connect => self.below(&["connect"]),
        };
        #[cfg(feature = "websocket")]
        if let Some(socket) = &self.socket {
            let run = RunFrame {
                url: &url,
                input: &input,
                cursor,
                is_binary: !continues && self.accept == Accept::Binary,
            };
            let opening = socket.send(&run, &self.headers, self.max_frame, self.connect);
            return deadlines.wait(opening).await?;
        }
        let request = self.http.post(url).headers(headers).body(input).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        redirect::check(&response, &self.url)?;
        Ok(response)
    }

    fn follow(
        &self,
        target: Target,
        input: RunAgentInput,
        warnings: Warnings,
    ) -> Result<Frames, ClientError> {
        let accept = if target == Target::Connect { Accept::Sse } else { self.accept };
        let body = match accept {
            Accept::Sse | Accept::Binary => serde_json::to_vec(&input),
            #[cfg(feature = "dialect")]
            Accept::SnakeCase => {
                let mut lost = |warning| warnings.report(warning);
                serde_json::to_vec(&snake_case::ChatRequest::of_with(&input, &mut lost))
            }
        };
        let body = body.map_err(ClientError::other)?.into();
        let (run, max_frame) = (input.run_id.clone(), self.max_frame);
        // Only another protocol has something to warn of here.
        #[cfg(not(feature = "dialect"))]
        drop((input, warnings));
        let reader = move |content_type: &str| match accept {
            Accept::Sse | Accept::Binary => Reader::of(content_type, max_frame),
            #[cfg(feature = "dialect")]
            Accept::SnakeCase => Reader::of_dialect(&input, max_frame, warnings),
        };
        Ok(Follow::new(self.clone(), target, &run, body, Box::new(reader)).frames())
    }

    fn opened(&self, target: Target, input: RunAgentInput, warnings: Warnings) -> Frames {
        let agent = self.clone();
        stream::once(async move { agent.follow(target, input, warnings) }).try_flatten().boxed()
    }
}

impl Upstream for HttpAgent {
    fn open(&self, input: RunAgentInput) -> Frames {
        self.open_with(input, Warnings::default())
    }

    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        self.opened(Target::Run, input, warnings)
    }

    fn connect(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        self.opened(Target::Connect, input, warnings)
    }

    fn stop<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<bool, ClientError>> {
        Box::pin(self.stop_thread(thread))
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        Box::pin(self.declared())
    }
}
