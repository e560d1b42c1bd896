//! Events of a thread for one client, before they are encoded.

use std::future::Future;
use std::sync::Arc;

use futures_util::{StreamExt, stream};

use super::readers::slice::EventFormat;
use crate::kernel::Peer;
use crate::server::response::ag_ui_reply::{AgUiResponse, respond};
use crate::server::response::body::BodySource;
use crate::server::response::encoding::StreamEncoding;
use crate::server::settings::ServerSettings;

/// A response with a thread's events.
pub(super) struct ThreadResponse {
    pub(super) events: BodySource,
    pub(super) peer: Peer,
    pub(super) encoding: StreamEncoding,
    pub(super) settings: Arc<ServerSettings>,
    pub(super) span: tracing::Span,
    /// True if an earlier request began the run.
    pub(super) reads_earlier_run: bool,
}

impl ThreadResponse {
    /// Makes the response to a request that begins the run, in the current span.
    pub(super) fn new(events: BodySource, format: EventFormat, settings: Arc<ServerSettings>) -> Self {
        let EventFormat { peer, encoding, .. } = format;
        let span = tracing::Span::current();
        Self { events, peer, encoding, settings, span, reads_earlier_run: false }
    }

    /// Says that an earlier request began the run.
    pub(super) fn of_earlier_run(self) -> Self {
        Self { reads_earlier_run: true, ..self }
    }

    pub(super) fn into_response(self) -> AgUiResponse {
        let Self { events, peer, encoding, settings, span, reads_earlier_run } = self;
        let response = respond(events, peer, encoding, &settings, span);
        if reads_earlier_run { response.of_earlier_run() } else { response }
    }

    /// Continues with other events, if there are any after these. Both have one format.
    pub(super) fn then(mut self, more: impl Future<Output = Option<BodySource>> + Send + 'static) -> Self {
        self.events = match self.events {
            BodySource::Run(events) => {
                let more = stream::once(more).flat_map(|more| match more {
                    Some(BodySource::Run(events)) => events,
                    _ => stream::empty().boxed(),
                });
                BodySource::Run(events.chain(more).boxed())
            }
            BodySource::Thread(events) => {
                let more = stream::once(more).flat_map(|more| match more {
                    Some(BodySource::Thread(events)) => events,
                    _ => stream::empty().boxed(),
                });
                BodySource::Thread(events.chain(more).boxed())
            }
        };
        self
    }
}
