//! One provider request: attempts, and the response frame by frame.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use agui_runtime_core::__leaf::{quoted, without_prompt};
use agui_runtime_core::model::{ChatModel as _, ModelError, ModelStream, Prompt, ReplyDelta};
use futures_util::{StreamExt as _, stream};

use super::decoder::{ReplyEnd, ResponseDecoder};
use super::hosted::HostedModel;
use super::http::HttpExchange;
use super::{failure, retry};

/// Sends the request, and streams the reply as the caller polls.
pub(super) fn stream_reply<'a>(model: &'a HostedModel, prompt: &'a Prompt) -> ModelStream<'a> {
    let attempts = RequestAttempts {
        model,
        prompt,
        attempt: 0,
        open: None,
        ready: VecDeque::new(),
        has_emitted: false,
        has_deferred: false,
        is_over: false,
    };
    stream::unfold(attempts, |mut attempts| async move { Some((attempts.next().await?, attempts)) }).boxed()
}

/// A request and its attempts.
struct RequestAttempts<'a> {
    model: &'a HostedModel,
    prompt: &'a Prompt,
    attempt: u32,
    open: Option<OpenAttempt>,
    ready: VecDeque<Result<ReplyDelta, ModelError>>,
    /// True once a delta went out: the request cannot be repeated.
    has_emitted: bool,
    /// True once the request was repeated because the provider loads no tools.
    has_deferred: bool,
    is_over: bool,
}

/// An attempt with an open response.
pub(super) struct OpenAttempt {
    pub(super) exchange: HttpExchange,
    pub(super) decoder: ResponseDecoder,
    /// The instant from which a finished reply has sent nothing more.
    pub(super) finished: Option<Instant>,
}

/// The wait for more data after a finish reason or an end marker. Neither closes the stream, and some providers keep the
/// connection open.
const AFTER_DONE: Duration = Duration::from_millis(250);
const AFTER_REASON: Duration = Duration::from_secs(10);

impl RequestAttempts<'_> {
    async fn next(&mut self) -> Option<Result<ReplyDelta, ModelError>> {
        loop {
            match self.ready.pop_front() {
                Some(Ok(end @ ReplyDelta::End(_))) => {
                    self.stop();
                    return Some(Ok(end));
                }
                Some(Err(error)) => {
                    self.open = None;
                    if !self.has_emitted
                        && !self.has_deferred
                        && self.model.note_deferral(self.prompt, &error)
                    {
                        self.has_deferred = true;
                        continue;
                    }
                    let random = agui_runtime_core::__leaf::random_number("retry");
                    let wait = match self.has_emitted {
                        true => None,
                        false => retry::wait(&error, self.attempt, self.model.settings().retries, random),
                    };
                    let Some(wait) = wait else {
                        self.model.note_failure(self.prompt, &error);
                        self.stop();
                        return Some(Err(error));
                    };
                    let text = error.without_prompt(self.prompt);
                    tracing::warn!(error = %quoted(text), ?wait, "the model is asked again");
                    self.attempt += 1;
                    tokio::time::sleep(wait).await;
                }
                Some(Ok(delta)) => {
                    if !self.has_emitted && !matches!(delta, ReplyDelta::Usage(_)) {
                        self.has_emitted = true;
                        self.model.note_reply(self.prompt);
                    }
                    return Some(Ok(delta));
                }
                None if self.is_over => return None,
                None => self.advance().await,
            }
        }
    }

    fn stop(&mut self) {
        self.is_over = true;
        self.open = None;
        self.ready.clear();
    }

    /// Reads the provider's next bytes.
    async fn advance(&mut self) {
        if tokio::runtime::Handle::try_current().is_err() {
            let error = "a model over HTTP needs a tokio runtime".to_owned();
            return self.ready.push_back(Err(ModelError::Failed(error)));
        }
        let silence = self.model.settings().silence;
        let open = match &mut self.open {
            Some(open) => open,
            None => match within(silence, self.model.open(self.prompt)).await {
                Ok(open) => self.open.insert(open),
                Err(error) => return self.ready.push_back(Err(error)),
            },
        };
        let OpenAttempt { exchange, decoder, finished } = open;
        let end = decoder.end();
        // Counted from the last frame that said something: signs of life do not keep a finished reply open.
        let waited = *finished.get_or_insert_with(Instant::now);
        let patience = match end {
            ReplyEnd::Open => silence,
            // Gateways before Gemini write a reason into each frame.
            ReplyEnd::Reason if decoder.may_go_on() => silence,
            ReplyEnd::Reason => AFTER_REASON.min(silence).saturating_sub(waited.elapsed()),
            ReplyEnd::Done => AFTER_DONE.min(silence).saturating_sub(waited.elapsed()),
        };
        let read = match (within(patience, exchange.next()).await, decoder.end()) {
            (Ok(Some(bytes)), _) => decoder.push(bytes.as_ref()),
            (Ok(None), _) => decoder.finish(),
            // The reply is whole.
            (Err(_), ReplyEnd::Done) => decoder.finish(),
            (Err(ModelError::Silent { .. }), ReplyEnd::Reason) => decoder.finish(),
            (Err(error), _) => Err(error),
        };
        let provider = self.model.provider();
        for what in decoder.unread() {
            tracing::warn!(provider, what = %quoted(without_prompt(&what, self.prompt)), "a part of the model's reply is not read");
        }
        let deltas = decoder.take();
        if decoder.end() != end || !deltas.is_empty() {
            *finished = None;
        }
        self.ready.extend(deltas.into_iter().map(Ok));
        let error = read.err().map(|error| failure::without_key(error, self.model.key()));
        self.ready.extend(error.map(Err));
    }
}

/// Waits for the provider, at most for the allowed silence.
async fn within<T>(
    silence: Duration,
    coming: impl Future<Output = Result<T, ModelError>>,
) -> Result<T, ModelError> {
    tokio::time::timeout(silence, coming).await.unwrap_or(Err(ModelError::Silent { after: silence }))
}
