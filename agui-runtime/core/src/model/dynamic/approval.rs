//! Approvals for dynamic tool calls.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::ready;
use serde_json::{Value, json};

use super::DynTool;
use super::call::{interrupt_for_approval, run};
use crate::agent::tool::{SettlingCall, policy_asks, refused};
use crate::agent::{Agent, DecidedCall, ResumingCall};
use crate::manifest::approval_answer;
use crate::protocol::JsonObject;

/// True if the user must approve a call with these arguments.
pub(super) type DynApprovalPolicy<'t> = Arc<dyn Fn(&Value) -> bool + Send + Sync + 't>;

impl<'t> DynTool<'t> {
    /// Interrupts the run for the user's approval before each call, as [`#[tool(approval)]`](macro@crate::tool#approval) does.
    ///
    /// The interrupt has the reason `tool_call`, and resumes with an [`Approval`](crate::interrupts::Approval) whose `editedArgs`
    /// fit the tool's schema. The resumed run must offer the tool again: otherwise the call remains without a result. The manifest
    /// omits dynamic tools, so clients know no type for the interrupt.
    ///
    /// ```
    /// use agui_runtime::model::{DynTool, Model, Reply, ScriptedModel};
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::testing::{self, RunEnd};
    /// use serde_json::json;
    ///
    /// /// Pays by the tools of the bank.
    /// #[agent]
    /// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<(), Stop> {
    ///     let pay = DynTool::new("pay", "Pays.", json!({ "type": "object" }), async |_| Ok::<_, Stop>("paid"))?;
    ///     run.chat(model).tools([pay.approval()]).await
    /// }
    ///
    /// let model = ScriptedModel::new([Reply::call("pay", json!({ "cents": 500 }))]);
    /// let events = futures::executor::block_on(testing::run(Clerk::new(model.into()), testing::input("Pay Ada.")));
    /// let RunEnd::Interrupt([question]) = testing::end(&events) else { panic!("{events:#?}") };
    /// assert_eq!((question.reason.as_str(), question.message.as_deref()), ("tool_call", Some("Run `pay`?")));
    /// ```
    #[must_use]
    pub fn approval(self) -> Self {
        self.approval_if(|_| true)
    }

    /// Requires approval for calls whose arguments the policy selects. A panic in the policy counts as selected.
    #[must_use]
    pub fn approval_if(self, policy: impl Fn(&Value) -> bool + Send + Sync + 't) -> Self {
        Self { asks: Some(Arc::new(policy)), ..self }
    }

    /// True if the user must approve a call with these arguments.
    pub(super) fn needs_approval(&self, arguments: &Value) -> bool {
        self.asks.as_ref().is_some_and(|policy| policy_asks(self.name(), || policy(arguments)))
    }

    /// Returns the schema for the resume payload.
    pub(super) fn resume_schema(&self) -> JsonObject {
        let (arguments, definitions) = arguments_inside(&self.spec.parameters);
        let mut answer = approval_answer(vec![arguments]);
        answer.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
        answer
    }
}

/// Returns the arguments' schema for use inside another schema, and the definitions for the root. A schema with references to its
/// other parts would change its meaning there; such a schema becomes any object, and the arguments are validated later.
fn arguments_inside(parameters: &Value) -> (Value, Option<Value>) {
    let mut parameters = parameters.clone();
    let mut definitions = None;
    if let Value::Object(members) = &mut parameters {
        members.remove("$schema");
        definitions = members.remove("$defs");
        let refers = |value: &Value| has_reference_elsewhere(value);
        if refers(&Value::Object(members.clone())) || definitions.as_ref().is_some_and(refers) {
            return (json!({ "type": "object" }), None);
        }
    }
    (parameters, definitions)
}

fn has_reference_elsewhere(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(keyword, value)| match value {
            Value::String(target) if keyword == "$ref" => !target.starts_with("#/$defs/"),
            value => has_reference_elsewhere(value),
        }),
        Value::Array(items) => items.iter().any(has_reference_elsewhere),
        _ => false,
    }
}

/// Resumes a call that was interrupted for approval, or that a lost server made; `None` if another tool is called.
pub(in crate::model) fn resume<'w, A: Agent>(
    resuming: ResumingCall<'w, A>,
    tools: &[DynTool<'w>],
) -> Option<SettlingCall<'w>> {
    let tool = tools.iter().find(|tool| tool.name() == resuming.tool())?.clone();
    let DecidedCall { span, id, arguments, refusal, texts, is_lost, resume } =
        resuming.take_up(|text| tool.parse_arguments(text))?;
    Some(match refusal {
        Some(why) => refused(span, (id, tool.name().to_owned().into()), &why),
        None if is_lost && tool.needs_approval(&arguments) => {
            ready(interrupt_for_approval(&span, id, &tool, &arguments, &texts.sent)).boxed()
        }
        None => run(span, id, tool, (arguments, resume), texts),
    })
}
