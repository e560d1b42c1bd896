//! Tool through which a model hands the conversation over to an agent.

use std::borrow::Cow;
use std::fmt;
use std::future::{Future, ready};
use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{Subagent, SubagentOf};
use crate::agent::delegate::CalledAgent;
use crate::agent::tool::{BackendSide, HandoffFn, ReturnConversion, value_outcome};
use crate::agent::{Agent, InjectScope, InvokeTool, Run, Stop, Tool};
use crate::consent::call_step;
use crate::kernel::handoff_subagent_id;
use crate::manifest::AgentSource;
use crate::protocol::{Message, ToolCallId};

/// Hands the conversation over to agent `C`. The chat runs the agent after the call's result is sent.
#[doc(hidden)]
#[derive(Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct HandoffTool<C> {
    #[serde(skip)]
    agent: PhantomData<fn() -> C>,
}

/// The arguments of a handoff: none.
#[derive(JsonSchema)]
#[schemars(description = "", deny_unknown_fields)]
struct HandoffArguments {}

impl<C> JsonSchema for HandoffTool<C> {
    fn schema_name() -> Cow<'static, str> {
        HandoffArguments::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        HandoffArguments::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        HandoffArguments::json_schema(generator)
    }
}

impl<C: Subagent> Tool for HandoffTool<C> {
    const NAME: &'static str = C::HANDOFF;
    const DESCRIPTION: &'static str = C::HANDOFF_DESCRIPTION;
    type Side = BackendSide;
    type Returns = String;

    fn outcome() -> ReturnConversion<String> {
        value_outcome()
    }
}

impl<A: Agent, C: SubagentOf<A>> InvokeTool<A> for HandoffTool<C> {
    const AGENT: Option<fn() -> AgentSource> = Some(C::source);
    const HANDOFF: Option<HandoffFn<A>> = Some(HandoffFn { agent: C::NAME, run: hand_over::<A, C> });

    fn invoke(self, _: &InjectScope<'_, A>) -> impl Future<Output = String> + Send {
        ready(format!("`{}` answers the user from here on", C::NAME))
    }
}

fn hand_over<A: Agent, C: SubagentOf<A>>(
    run: &Run<A>,
    call: ToolCallId,
    messages: Vec<Message>,
) -> BoxFuture<'_, Result<(), Stop>> {
    let scope = InjectScope::new(run, call.clone(), C::HANDOFF);
    let called = CalledAgent {
        agent: Arc::clone(C::shared(&scope)),
        state: Box::new(|emit| Some(run.state_handle().part(emit, C::place()?))),
        name: C::NAME,
        step: call_step(C::HANDOFF, &call, ""),
        id: handoff_subagent_id(&call),
        call,
        messages,
        task: None,
    };
    run.delegate_call(called).map(|ended| ended.map(drop)).boxed()
}

impl<C> fmt::Debug for HandoffTool<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handoff").finish_non_exhaustive()
    }
}
