//! Extractor that turns a run request into an input.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequest, Request};

use super::head::RunRequestHead;
use crate::agent::{DynAgent, RunOptions};
use crate::protocol::RunAgentInput;
use crate::server::mount::RouteProtocol;
use crate::server::origins::gate::RequestGate;
use crate::server::response::ag_ui_reply::{AgUiReply, AgUiResponse};
use crate::server::response::rejection::Rejection;
use crate::server::settings::ServerSettings;

/// A run request, for axum handlers of your own: this extractor reads requests exactly as the routes of a
/// [`Server`](crate::Server) do. The same requests are refused, legacy clients get the same leniency, and the client's transport
/// and AG-UI generation are known for the response.
///
/// Derefs to [`RunAgentInput`].
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
/// Routes that were added with [`Server::routes`](crate::Server::routes) have that server's settings: its limits, its
/// [`run_options`](crate::Server::run_options), and its shutdown of runs. Other routes have the default settings for requests,
/// inputs and runs, which refuse pages from other origins. To admit some, serve the routes with a server that names the origins
/// ([`Server::allow_origins`](crate::Server::allow_origins)).
///
/// # Errors
/// [`Rejection`], with the fault in the request.
#[derive(Debug)]
pub struct AgUiInput {
    pub(in crate::server) input: RunAgentInput,
    pub(in crate::server) options: RunOptions,
    /// The server's options, to complete run options that a handler replaced.
    pub(in crate::server) server: RunOptions,
    pub(in crate::server) reply: AgUiReply,
}

impl AgUiInput {
    /// Starts an agent's run and responds with its stream.
    ///
    /// # Errors
    /// A [`Rejection`] with status 401 if the request lacks a value that the agent takes with
    /// [`#[request]`](macro@crate::agent#what-comes-with-the-request).
    pub fn start(self, agent: Arc<dyn DynAgent>) -> Result<AgUiResponse, Rejection> {
        let (input, options, reply) = self.into_parts();
        agent.check(&options)?;
        tracing::debug!(peer = ?reply.peer, "run starts");
        Ok(reply.answer(agent.start(input, options), tracing::Span::current()))
    }

    /// Changes the run's options, to add a value that comes with the request, a recorder, ids. The server completes the options,
    /// also new ones that replace them: the peer, the interrupts' key and subject, error visibility, and the values in the
    /// request's extensions.
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

    /// Returns the input, the run options and the reply: for handlers that make the stream themselves or change an agent's stream.
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
        let (request, settings) = match request.extensions().get::<Arc<ServerSettings>>().cloned() {
            Some(settings) => (request, settings),
            // No server has checked the request.
            None => (RequestGate::default().admit(request)?, ServerSettings::without_server()),
        };
        let (parts, body) = request.into_parts();
        RunRequestHead::read(parts, RouteProtocol::AgUi, settings)?.input(body).await
    }
}
