//! An extractor and a responder: a request becomes an input, events become an answer.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};

use super::body::RunBody;
use super::bounded::{Bounded, Foreign, Stoppable};
use super::encoding::Encoding;
use super::mount::Contract;
use super::places::Place;
use super::rejection::Rejection;
use super::settings::Settings;
use super::shutdown::StopSignal;
use super::{accept, input, request, snake_case};
use crate::protocol::{Event, RunAgentInput};
use crate::quoted::quoted;
use crate::{DynAgent, Peer, RunOptions, Serial};

/// A request to start a run, for axum handlers of your own: an extractor that reads requests exactly as the routes of a
/// [`Server`](crate::Server) do. It refuses what they refuse, is as lenient with old clients, and knows for the answer which
/// transport and which generation of AG-UI the client reads.
///
/// It derefs to [`RunAgentInput`].
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::{AgUiInput, AgUiResponse, Limits, Rejection, Server};
/// use axum::Router;
/// use axum::extract::{Path, State};
/// use axum::routing::post;
///
/// /// Says hello.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>, language: &String) -> Result<(), Stop> {
///     run.say(if language == "de" { "Guten Tag!" } else { "Hello!" }).await;
///     Ok(())
/// }
///
/// /// One path for all languages, which a `Server` alone could not say.
/// async fn greet(Path(language): Path<String>, input: AgUiInput) -> Result<AgUiResponse, Rejection> {
///     if language.len() != 2 {
///         return Err(Rejection::forbidden("this language is not spoken here"));
///     }
///     input.start(Arc::new(Greeter::new(language)))
/// }
///
/// # fn example() -> Result<(), agui_runtime::Error> {
/// let routes = Router::new().route("/greet/{language}", post(greet));
/// let app = Server::new().limits(Limits::default().body_size(64 * 1024)).routes(routes).router()?;
/// # let _: Router = app;
/// # Ok(())
/// # }
/// ```
///
/// # Limits
///
/// Routes that are served by a [`Server`](crate::Server), which is what [`Server::routes`](crate::Server::routes) adds, have the
/// settings of that server: its limits, its [`run_options`](crate::Server::run_options), and what becomes of runs when it
/// ends. Elsewhere they have the limits of one that are about inputs and runs; its looks at `Origin` and `Host` and the time that a body
/// may take are then for a layer of your own.
///
/// # Errors
/// [`Rejection`], with what is wrong with the request.
#[derive(Debug)]
pub struct AgUiInput {
    input: RunAgentInput,
    options: RunOptions,
    reply: AgUiReply,
}

impl AgUiInput {
    /// Starts a run of an agent, and answers with its stream.
    ///
    /// # Errors
    /// A [`Rejection`] with status 401 when the request lacks a value the agent takes with
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request).
    pub fn start(self, agent: Arc<dyn DynAgent>) -> Result<AgUiResponse, Rejection> {
        let name = agent.source().name;
        self.start_as(name, agent)
    }

    pub(super) fn start_as(
        self,
        name: &'static str,
        agent: Arc<dyn DynAgent>,
    ) -> Result<AgUiResponse, Rejection> {
        let Self { input, options, reply } = self;
        agent.check(&options)?;
        let (thread_id, run_id) = (quoted(&input.thread_id), quoted(&input.run_id));
        let span = tracing::info_span!("run", agent = name, %thread_id, %run_id);
        let events = span.in_scope(|| {
            tracing::debug!(peer = ?reply.peer, "run starts");
            agent.start(input, options)
        });
        Ok(reply.answer(events, span))
    }

    /// Changes the options of the run, to add a value that comes with its request, a recorder, ids.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use agui_runtime::{Agent, AgUiInput, AgUiResponse, Rejection};
    /// #[derive(Clone)]
    /// struct Customer;
    ///
    /// fn serve(input: AgUiInput, who: Customer, chef: Arc<impl Agent>) -> Result<AgUiResponse, Rejection> {
    ///     input.with_options(|options| options.request(who)).start(chef)
    /// }
    /// ```
    #[must_use]
    pub fn with_options(mut self, change: impl FnOnce(RunOptions) -> RunOptions) -> Self {
        self.options = change(self.options);
        self
    }

    /// The input, the options of its run, and the answer that is due: for handlers that make the stream themselves, or
    /// change the one of an agent.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::protocol::Event;
    /// use agui_runtime::{Agent, AgUiInput, AgUiResponse, start};
    /// use futures::StreamExt;
    ///
    /// fn without_reasoning(input: AgUiInput, chef: Arc<impl Agent>) -> AgUiResponse {
    ///     let (input, options, reply) = input.into_parts();
    ///     let events = start(chef, input, options);
    ///     reply.stream(events.filter(|event| {
    ///         let is_kept = !event.event_type().as_str().starts_with("REASONING");
    ///         async move { is_kept }
    ///     }))
    /// }
    /// ```
    pub fn into_parts(self) -> (RunAgentInput, RunOptions, AgUiReply) {
        (self.input, self.options, self.reply)
    }
}

impl Deref for AgUiInput {
    type Target = RunAgentInput;

    fn deref(&self) -> &RunAgentInput {
        &self.input
    }
}

impl<S: Send + Sync> FromRequest<S> for AgUiInput {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let (parts, body) = request.into_parts();
        let settings =
            parts.extensions.get::<Arc<Settings>>().cloned().unwrap_or_else(Settings::of_no_server);
        Head::read(parts, Contract::AgUi, settings)?.input(body).await
    }
}

/// A request whose body has not been read yet.
pub(super) struct Head {
    headers: HeaderMap,
    path: Arc<str>,
    identity: Option<String>,
    options: RunOptions,
    encoding: Encoding,
    contract: Contract,
    settings: Arc<Settings>,
}

impl Head {
    pub(super) fn read(
        mut parts: Parts,
        contract: Contract,
        settings: Arc<Settings>,
    ) -> Result<Self, Rejection> {
        request::check_content_type(&parts.headers).map_err(|rejection| contract.malformed(rejection))?;
        let encoding = match contract {
            Contract::AgUi => accept::choose(&parts.headers),
            // It has one encoding, and a client that does not want it cannot be told so.
            Contract::SnakeCase => Encoding::SnakeCase,
        };
        let (path, identity) = (parts.uri.path().into(), settings.identity(&parts));
        let options = settings.options(&mut parts);
        Ok(Self { headers: parts.headers, path, identity, options, encoding, contract, settings })
    }

    pub(super) fn options(&self) -> &RunOptions {
        &self.options
    }

    pub(super) async fn input(self, body: Body) -> Result<AgUiInput, Rejection> {
        let Self { headers, path, identity, options, encoding, contract, settings } = self;
        let malformed = |rejection| contract.malformed(rejection);
        let bytes = request::read_body(&headers, body, settings.limits.body_size).await.map_err(malformed)?;
        // Parsing takes many times the memory of the bytes, so that not more is parsed than may run.
        let place = settings.places.take()?;
        let read = match contract {
            Contract::AgUi => input::read,
            Contract::SnakeCase => snake_case::read,
        };
        let input = settings.reading.read(bytes, read).await.map_err(malformed)?;
        let place = place.of(&path, input.thread_id.as_str(), identity).await?;
        let peer = match input.protocol_version {
            Some(_) => Peer::of(&input),
            None => settings.assumed_peer,
        };
        let (options, peer) = options.peer_or(peer);
        Ok(AgUiInput { input, options, reply: AgUiReply { peer, encoding, contract, place, settings } })
    }
}

/// The answer that is due to a request: in the encoding its client reads, with keep-alive. Made by
/// [`AgUiInput::into_parts`].
#[derive(Debug)]
#[must_use = "the client waits for an answer: `reply.stream(events)`"]
pub struct AgUiReply {
    peer: Peer,
    encoding: Encoding,
    contract: Contract,
    place: Place,
    settings: Arc<Settings>,
}

impl AgUiReply {
    /// Which generation of clients reads the answer.
    #[must_use]
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Answers with a stream of events. Those of [`start`](crate::start) are in order, and fit the
    /// [`peer`](Self::peer); of others both is up to you.
    ///
    /// A stream that goes on for longer than the server's [`run_timeout`](crate::Limits::run_timeout), or when the server ends,
    /// is dropped and ends with RUN_ERROR.
    pub fn stream(self, events: impl Stream<Item = Event> + Send + 'static) -> AgUiResponse {
        self.answer(Foreign::new(events), tracing::Span::current())
    }

    fn answer(self, events: impl Stoppable, span: tracing::Span) -> AgUiResponse {
        let Self { peer, encoding, contract, place, settings } = self;
        let stopped = settings.stop.as_ref().map(StopSignal::stopped);
        let events = Bounded::new(events, settings.limits.run_timeout, stopped, place);
        let events = match contract {
            Contract::SnakeCase => snake_case::sayable(events),
            Contract::AgUi if settings.serial && peer == Peer::Legacy => Serial::new(events).boxed(),
            Contract::AgUi => events.boxed(),
        };
        let body = RunBody::new(events, encoding.into(), settings.keep_alive, encoding.heartbeat(peer), span);
        let mut response = Response::new(Body::from_stream(body));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, encoding.content_type());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
        // nginx holds a stream back until told otherwise.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        AgUiResponse(response)
    }
}

/// The stream of a run as an answer, for axum handlers of your own; see [`AgUiInput`]. Once it streams, the status is 200
/// whatever happens: a run that fails says so in its stream.
pub struct AgUiResponse(Response);

impl IntoResponse for AgUiResponse {
    fn into_response(self) -> Response {
        self.0
    }
}

impl fmt::Debug for AgUiResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgUiResponse").field(&self.0.headers()).finish()
    }
}
