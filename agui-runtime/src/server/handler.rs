//! An extractor and a responder: a request becomes an input, events become an answer.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt};
use http::{HeaderValue, header};

use super::body::{RunBody, Source};
use super::bounded::{Bounded, Stoppable};
use super::encoding::Encoding;
use super::foreign::Foreign;
use super::gate::Gate;
use super::head::Head;
use super::mount::Contract;
use super::places::Place;
use super::rejection::Rejection;
use super::settings::Settings;
use super::shutdown::StopSignal;
#[cfg(feature = "dialect")]
use super::snake_case;
use super::unended::{Unended, ended};
use crate::agent::{DynAgent, RunOptions};
use crate::emit::Serial;
use crate::kernel::Peer;
use crate::protocol::allowance::Allowance;
use crate::protocol::{Event, NonNull, RunAgentInput};

/// A request to start a run, for axum handlers of your own: an extractor that reads requests exactly as the routes of a
/// [`Server`](crate::Server) do. It refuses the same requests, is as lenient with old clients, and knows the client's
/// transport and generation of AG-UI for the answer.
///
/// It derefs to [`RunAgentInput`].
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
/// use agui_runtime::{Limits, Server};
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
/// /// One path for all languages, which a `Server` alone cannot express.
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
/// Routes that a [`Server`](crate::Server) serves, added with [`Server::routes`](crate::Server::routes), have the
/// settings of that server: its limits, its [`run_options`](crate::Server::run_options), and its treatment of runs at
/// shutdown. Other routes have the default settings for requests, inputs and runs. These refuse pages of other origins;
/// to admit some, serve the routes with a server that names them
/// ([`Server::allow_origins`](crate::Server::allow_origins)).
///
/// # Errors
/// [`Rejection`], with the fault of the request.
#[derive(Debug)]
pub struct AgUiInput {
    pub(super) input: RunAgentInput,
    pub(super) options: RunOptions,
    /// The options of the server, for the case that the options of the run were replaced.
    pub(super) server: RunOptions,
    pub(super) reply: AgUiReply,
}

impl AgUiInput {
    /// Starts a run of an agent, and answers with its stream.
    ///
    /// # Errors
    /// A [`Rejection`] with status 401 if the request lacks a value that the agent takes with
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
    /// use agui_runtime::prelude::*;
    /// # use axum::body::Body;
    /// # use axum::extract::{FromRequest, Request};
    /// # use axum::response::IntoResponse;
    ///
    /// /// Says hello.
    /// #[agent]
    /// async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>) -> Result<(), Stop> {
    ///     run.say("Hello!").await;
    ///     Ok(())
    /// }
    ///
    /// /// For `Router::route("/greet", post(greet))`.
    /// async fn greet(input: AgUiInput) -> Result<AgUiResponse, Rejection> {
    ///     input.start(Arc::new(Greeter::new()))
    /// }
    /// # fn main() {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// #         let body = serde_json::to_vec(&agui_runtime::testing::input("Hi")).unwrap();
    /// #         let request = Request::post("/greet").header("content-type", "application/json").body(body.into());
    /// #         let input = AgUiInput::from_request(request.unwrap(), &()).await.unwrap();
    /// #         let answer = greet(input).await.unwrap().into_response();
    /// #         let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
    /// #         assert!(String::from_utf8_lossy(&body).contains("Hello!"));
    /// #     });
    /// # }
    /// ```
    pub fn start(self, agent: Arc<dyn DynAgent>) -> Result<AgUiResponse, Rejection> {
        let (input, options, reply) = self.into_parts();
        agent.check(&options)?;
        tracing::debug!(peer = ?reply.peer, "run starts");
        Ok(reply.answer(agent.start(input, options), tracing::Span::current()))
    }

    /// Changes the options of the run, to add a value that comes with its request, a recorder, ids. The server
    /// completes the options, also if they are replaced by new ones: the peer, the key and the subject of interrupts,
    /// the visibility of errors, and the values in the extensions of the request.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use agui_runtime::Agent;
    /// # use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
    /// #[derive(Clone)]
    /// struct Customer;
    ///
    /// # fn example(input: AgUiInput, who: Customer, chef: Arc<impl Agent>) -> Result<AgUiResponse, Rejection> {
    /// input.with_options(|options| options.request(who)).start(chef)
    /// # }
    /// ```
    #[must_use]
    pub fn with_options(mut self, change: impl FnOnce(RunOptions) -> RunOptions) -> Self {
        self.options = change(self.options);
        self
    }

    /// Returns the input, the options of its run, and the reply: for handlers that make the stream themselves, or
    /// change the stream of an agent.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use agui_runtime::http::{AgUiInput, AgUiResponse};
    /// # use agui_runtime::{Agent, start};
    /// use futures::StreamExt;
    ///
    /// # fn example(input: AgUiInput, chef: Arc<impl Agent>) -> AgUiResponse {
    /// let (input, options, reply) = input.into_parts();
    /// let events = start(chef, input, options);
    /// // Without the reasoning.
    /// reply.stream(events.filter(|event| {
    ///     let is_kept = !event.event_type().as_str().starts_with("REASONING");
    ///     async move { is_kept }
    /// }))
    /// # }
    /// ```
    pub fn into_parts(self) -> (RunAgentInput, RunOptions, AgUiReply) {
        let Self { input, options, server, mut reply } = self;
        let options = options.or(&server);
        reply.peer = options.chosen_peer().unwrap_or(reply.peer);
        (input, options, reply)
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
        let (request, settings) = match request.extensions().get::<Arc<Settings>>().cloned() {
            Some(settings) => (request, settings),
            // No server has checked the request.
            None => (Gate::default().admit(request)?, Settings::of_no_server()),
        };
        let (parts, body) = request.into_parts();
        Head::read(parts, Contract::AgUi, settings)?.input(body).await
    }
}

/// The reply to a request: in the encoding that its client reads, with heartbeats. Made by [`AgUiInput::into_parts`].
///
/// ```
/// use agui_runtime::http::{AgUiInput, AgUiReply, AgUiResponse};
/// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent};
///
/// /// Answers without an agent.
/// fn nothing(input: AgUiInput) -> AgUiResponse {
///     let (input, _, reply) = input.into_parts();
///     let reply: AgUiReply = reply;
///     let events: [Event; 2] = [
///         RunStartedEvent::new(&input.thread_id, &input.run_id).into(),
///         RunFinishedEvent::new(&input.thread_id, &input.run_id).into(),
///     ];
///     reply.stream(futures::stream::iter(events))
/// }
/// # use axum::extract::{FromRequest, Request};
/// # use axum::response::IntoResponse;
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// #     let body = serde_json::to_vec(&agui_runtime::testing::input("Hi")).unwrap();
/// #     let request = Request::post("/").header("content-type", "application/json").body(body.into());
/// #     let input = AgUiInput::from_request(request.unwrap(), &()).await.unwrap();
/// #     let body = axum::body::to_bytes(nothing(input).into_response().into_body(), 10_000).await.unwrap();
/// #     assert!(String::from_utf8_lossy(&body).contains("RUN_FINISHED"));
/// # });
/// ```
#[derive(Debug)]
#[must_use = "the client waits for an answer: `reply.stream(events)`"]
pub struct AgUiReply {
    pub(super) peer: Peer,
    pub(super) encoding: Encoding,
    pub(super) contract: Contract,
    pub(super) place: Place,
    pub(super) settings: Arc<Settings>,
    /// The state that the client sent.
    pub(super) state: Option<NonNull>,
    pub(super) allowance: Allowance,
}

impl AgUiReply {
    /// Returns the generation of the clients that read the answer.
    ///
    /// ```
    /// use agui_runtime::Peer;
    /// use agui_runtime::http::AgUiInput;
    ///
    /// /// Refuses nothing, but tells old clients to update.
    /// fn greeting(input: AgUiInput) -> &'static str {
    ///     let (_, _, reply) = input.into_parts();
    ///     match reply.peer() {
    ///         Peer::Legacy => "Hello! Please update this page.",
    ///         _ => "Hello!",
    ///     }
    /// }
    /// # use axum::extract::{FromRequest, Request};
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// #     let body = serde_json::to_vec(&agui_runtime::testing::input("Hi")).unwrap();
    /// #     let request = Request::post("/").header("content-type", "application/json").body(body.into());
    /// #     assert_eq!(greeting(AgUiInput::from_request(request.unwrap(), &()).await.unwrap()), "Hello!");
    /// # });
    /// ```
    #[must_use]
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Answers with a stream of events. The events of [`start`](crate::start) are in order, and fit the
    /// [`peer`](Self::peer); for other streams both are up to you.
    ///
    /// A stream that exceeds the server's [`run_timeout`](crate::Limits::run_timeout), or outlasts the server, is
    /// dropped and ends with RUN_ERROR. A [`Peer::Legacy`] client is sent the END of all open spans before RUN_ERROR,
    /// also before a RUN_ERROR of the stream itself. If its run has no STATE_SNAPSHOT before the first STATE_DELTA, one is
    /// added: the state that the client sent, changed by the stream so far. A STATE_DELTA that does not apply is left out,
    /// because it would end the process of CopilotKit's runtime; the log warns once per run.
    ///
    /// A stream that panics ends with RUN_ERROR and code `panic`; the log has the text of the panic.
    ///
    /// ```
    /// use agui_runtime::http::{AgUiInput, AgUiResponse};
    /// use agui_runtime::protocol::Event;
    /// use futures::{Stream, StreamExt};
    ///
    /// /// Answers with a stream that another service made, without its raw events.
    /// fn forward(input: AgUiInput, theirs: impl Stream<Item = Event> + Send + 'static) -> AgUiResponse {
    ///     let (_, _, reply) = input.into_parts();
    ///     reply.stream(theirs.filter(|event| std::future::ready(!matches!(event, Event::Raw(_)))))
    /// }
    /// # use axum::extract::{FromRequest, Request};
    /// # use axum::response::IntoResponse;
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// #     let body = serde_json::to_vec(&agui_runtime::testing::input("Hi")).unwrap();
    /// #     let request = Request::post("/").header("content-type", "application/json").body(body.into());
    /// #     let input = AgUiInput::from_request(request.unwrap(), &()).await.unwrap();
    /// #     let error = agui_runtime::protocol::RunErrorEvent::new("no flour").into();
    /// #     let answer = forward(input, futures::stream::iter([error])).into_response();
    /// #     let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
    /// #     assert!(String::from_utf8_lossy(&body).contains("no flour"));
    /// # });
    /// ```
    pub fn stream(mut self, events: impl Stream<Item = Event> + Send + 'static) -> AgUiResponse {
        let events = Foreign::new(events, self.peer, self.state.take(), self.allowance.clone());
        self.answer(events, tracing::Span::current())
    }

    fn answer(self, events: impl Stoppable, span: tracing::Span) -> AgUiResponse {
        let Self { peer, encoding, contract, place, settings, .. } = self;
        let stopped = settings.stop.as_ref().map(StopSignal::stopped);
        let events = Bounded::new(events, settings.limits.run_timeout, stopped, place);
        let events = Source::Run(match contract {
            #[cfg(feature = "dialect")]
            Contract::SnakeCase => snake_case::sayable(events),
            // One item at a time: each must end before the next begins, also if an error ends them all.
            Contract::AgUi if settings.serial && peer == Peer::Legacy => {
                Serial::new(ended(events, peer).boxed()).boxed()
            }
            Contract::AgUi => events.boxed(),
        });
        respond(events, peer, encoding, &settings, span)
    }
}

/// Returns the answer with a stream of events.
pub(super) fn respond(
    events: Source,
    peer: Peer,
    encoding: Encoding,
    settings: &Settings,
    span: tracing::Span,
) -> AgUiResponse {
    let (unended, heartbeat) = (Unended::new(peer), encoding.heartbeat(peer));
    let sent = Arc::clone(&settings.sent);
    let body = RunBody::new(events, encoding.into(), unended, settings.keep_alive, heartbeat, sent, span);
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, encoding.content_type());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    // nginx holds a stream back until told otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    AgUiResponse(response)
}

/// The stream of a run as an answer, for axum handlers of your own; see [`AgUiInput`]. Once it streams, the status is
/// 200 in any case: a run that fails reports it in its stream.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::DynAgent;
/// use agui_runtime::http::{AgUiInput, AgUiResponse, Rejection};
/// use axum::response::{IntoResponse, Response};
/// use http::HeaderValue;
///
/// /// Adds a header to the answer.
/// fn answer(input: AgUiInput, agent: Arc<dyn DynAgent>) -> Result<Response, Rejection> {
///     let run: AgUiResponse = input.start(agent)?;
///     let mut response = run.into_response();
///     response.headers_mut().insert("x-region", HeaderValue::from_static("eu"));
///     Ok(response)
/// }
/// ```
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
