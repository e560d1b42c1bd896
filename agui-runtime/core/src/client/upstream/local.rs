//! An agent in this program.

use std::fmt;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;

use super::Upstream;
use crate::agent::{DynAgent, RunOptions};
use crate::client::{ClientError, Frame, Frames};
use crate::protocol::{AgentCapabilities, RunAgentInput};

/// An agent in this program, run without a server.
///
/// ```
/// use agui_runtime::client::{LocalAgent, Session};
/// use agui_runtime::prelude::*;
///
/// /// Greets.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>) -> Result<(), Stop> {
///     run.say(format!("Hello {}", input.user_text().unwrap_or_default())).await;
///     Ok(())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), agui_runtime::client::ClientError> {
/// let mut session: Session = Session::new(LocalAgent::new(Greeter::new()));
/// session.say("Ada");
/// assert_eq!(session.run().await?.text(), "Hello Ada");
/// # Ok(())
/// # }
/// ```
///
/// Over HTTP, layers put values such as the user into the request. Without HTTP there is no request: pass the values that the
/// agent, tools and policies take with [`#[request]`](macro@crate::agent#what-comes-with-the-request) to [`RunOptions::request`].
/// If a needed value is missing, the run does not start.
///
/// ```
/// use agui_runtime::RunOptions;
/// use agui_runtime::client::{LocalAgent, Session};
/// use agui_runtime::prelude::*;
///
/// #[derive(Clone)]
/// struct Customer {
///     name: String,
/// }
///
/// /// Greets the customer.
/// #[agent]
/// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, #[request] who: &Customer) -> Result<(), Stop> {
///     run.say(format!("Hello {}", who.name)).await;
///     Ok(())
/// }
///
/// # futures::executor::block_on(async {
/// let options = RunOptions::default().request(Customer { name: "Ada".to_owned() });
/// let mut session: Session = Session::new(LocalAgent::new(Clerk::new()).with_options(options));
/// assert_eq!(session.run().await?.text(), "Hello Ada");
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct LocalAgent {
    agent: Arc<dyn DynAgent>,
    options: RunOptions,
}

impl LocalAgent {
    /// Creates an upstream for this agent, as in the [`LocalAgent`] example.
    #[must_use]
    pub fn new(agent: impl DynAgent) -> Self {
        Self::shared(Arc::new(agent))
    }

    /// Creates an upstream for a shared agent.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::DynAgent;
    /// use agui_runtime::client::{LocalAgent, Session};
    /// # use agui_runtime::prelude::*;
    /// #
    /// # /// Repeats the text of the user.
    /// # #[agent]
    /// # async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
    /// #     run.say(input.user_text().unwrap_or_default()).await;
    /// #     Ok(())
    /// # }
    ///
    /// let parrot: Arc<dyn DynAgent> = Arc::new(Parrot::new());
    /// let first: Session = Session::new(LocalAgent::shared(Arc::clone(&parrot)));
    /// let second: Session = Session::new(LocalAgent::shared(parrot));
    /// assert_ne!(first.thread_id(), second.thread_id());
    /// ```
    #[must_use]
    pub fn shared(agent: Arc<dyn DynAgent>) -> Self {
        Self { agent, options: RunOptions::default() }
    }

    /// Sets the options of the agent's runs.
    #[must_use]
    pub fn with_options(mut self, options: RunOptions) -> Self {
        self.options = options;
        self
    }
}

impl Upstream for LocalAgent {
    fn open(&self, input: RunAgentInput) -> Frames {
        let events = Arc::clone(&self.agent).start(input, self.options.clone());
        events.map(|event| Ok(Frame::from(event))).boxed()
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        Box::pin(async { Ok(Some(crate::agent::capabilities(&self.agent.describe()))) })
    }
}

impl fmt::Debug for LocalAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalAgent").field("agent", &self.agent.describe().name).finish_non_exhaustive()
    }
}
