//! Tool through which a model calls an agent.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::conversation::conversation_of;
use super::listed::has_frontend_tools;
use super::{Subagent, SubagentOf};
use crate::agent::delegate::CalledAgent;
use crate::agent::tool::{BackendSide, ReturnConversion, agent_outcome};
use crate::agent::{Agent, InjectScope, InvokeTool, Stop, Tool};
use crate::consent::call_step;
use crate::kernel::awaited_subagent_id;
use crate::manifest::AgentSource;

/// Calls agent `C` with a task: the tool that stands for an agent in a tool list.
#[doc(hidden)]
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SubagentTool<C> {
    /// The task.
    pub task: String,
    #[serde(skip)]
    agent: PhantomData<fn() -> C>,
}

/// The arguments of a call of an agent.
#[derive(JsonSchema)]
#[schemars(description = "")]
#[expect(dead_code, reason = "only its schema is read")]
struct SubagentTask {
    /// The task, with everything that the agent must know: it does not see this conversation.
    task: String,
}

impl<C> JsonSchema for SubagentTool<C> {
    fn schema_name() -> Cow<'static, str> {
        SubagentTask::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        SubagentTask::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        SubagentTask::json_schema(generator)
    }
}

impl<C: Subagent> Tool for SubagentTool<C> {
    const NAME: &'static str = C::NAME;
    const DESCRIPTION: &'static str = C::DESCRIPTION;
    type Side = BackendSide;
    type Returns = Result<C::Output, Stop>;

    fn outcome() -> ReturnConversion<Self::Returns> {
        agent_outcome()
    }
}

impl<A: Agent, C: SubagentOf<A>> InvokeTool<A> for SubagentTool<C> {
    const AGENT: Option<fn() -> AgentSource> = Some(C::source);
    const NEEDS_PAGE: bool = has_frontend_tools::<C>();

    fn invoke(self, scope: &InjectScope<'_, A>) -> impl Future<Output = Self::Returns> + Send {
        let agent = Arc::clone(C::shared(scope));
        let (run, call) = (scope.run(), scope.call_id());
        let called = CalledAgent {
            agent,
            state: Box::new(|emit| Some(run.state_handle().part(emit, C::place()?))),
            name: C::NAME,
            step: call_step(C::NAME, call, &self.task),
            id: awaited_subagent_id(call),
            call: call.clone(),
            messages: conversation_of(&run.input_of_agent().messages, call, &self.task),
            task: Some(self.task),
        };
        run.delegate_call(called)
    }
}

impl<C> fmt::Debug for SubagentTool<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask").field("task", &self.task).finish_non_exhaustive()
    }
}
