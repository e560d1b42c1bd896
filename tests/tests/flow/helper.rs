//! An agent without state made of one function, for others to delegate to.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use agui_runtime::manifest::AgentSource;
use agui_runtime::{Agent, FinishedRun, Input, Run, Stop};
use serde_json::Value;

pub(crate) type Answer<'r> = Pin<Box<dyn Future<Output = Result<Value, Stop>> + Send + 'r>>;

pub(crate) struct Helper(for<'r> fn(&'r Run<Helper>, &'r Input<Helper>) -> Answer<'r>);

pub(crate) fn helper(script: for<'r> fn(&'r Run<Helper>, &'r Input<Helper>) -> Answer<'r>) -> Arc<Helper> {
    Arc::new(Helper(script))
}

impl Agent for Helper {
    type State = ();
    type Request = ();
    type Output = Value;

    async fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> Result<FinishedRun<'r, Value>, Stop> {
        let answer = (self.0)(run, &input).await?;
        Ok(run.finish(answer))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Runs a function",
            version: "0.0.0",
            rust_path: std::any::type_name::<Self>(),
            ..AgentSource::new("helper")
        }
    }
}
