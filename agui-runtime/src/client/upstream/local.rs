//! An agent of this program.

use std::fmt;
use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;

use super::Upstream;
use crate::client::{ClientError, Frame, Frames};
use crate::protocol::{AgentCapabilities, RunAgentInput};
use crate::{DynAgent, RunOptions};

/// An agent of this program, asked without a server.
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
#[derive(Clone)]
pub struct LocalAgent {
    agent: Arc<dyn DynAgent>,
    options: RunOptions,
}

impl LocalAgent {
    /// This agent.
    ///
    /// ```
    /// use agui_runtime::client::{LocalAgent, Session};
    /// use agui_runtime::prelude::*;
    ///
    /// #[agent]
    /// async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
    ///     run.say(input.user_text().unwrap_or_default()).await;
    ///     Ok(())
    /// }
    ///
    /// let mut session: Session = Session::new(LocalAgent::new(Parrot::new()));
    /// session.say("Hello");
    /// ```
    #[must_use]
    pub fn new(agent: impl DynAgent) -> Self {
        Self::shared(Arc::new(agent))
    }

    /// An agent that others ask, too.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::DynAgent;
    /// use agui_runtime::client::{LocalAgent, Session};
    ///
    /// # fn example(agent: Arc<dyn DynAgent>) {
    /// let first: Session = Session::new(LocalAgent::shared(Arc::clone(&agent)));
    /// let second: Session = Session::new(LocalAgent::shared(agent));
    /// # }
    /// ```
    #[must_use]
    pub fn shared(agent: Arc<dyn DynAgent>) -> Self {
        Self { agent, options: RunOptions::default() }
    }

    /// What of its runs is decided outside of them.
    ///
    /// ```
    /// use agui_runtime::client::LocalAgent;
    /// use agui_runtime::{DynAgent, Ids, RunOptions};
    ///
    /// # fn example(agent: impl DynAgent) {
    /// let agent = LocalAgent::new(agent).with_options(RunOptions::default().ids(Ids::fixed("test")));
    /// # }
    /// ```
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
        Box::pin(async { Ok(Some(crate::capabilities(&self.agent.source()))) })
    }
}

impl fmt::Debug for LocalAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalAgent").field("agent", &self.agent.source().name).finish_non_exhaustive()
    }
}
