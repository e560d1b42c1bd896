//! A turn's request to the model, again with the output as a tool if the provider refuses the output's own form.

use std::sync::Arc;

use super::Chat;
use super::offer::refused;
use crate::agent::{Stop, ToolSet};
use crate::model::limits::ChatLimit;
use crate::model::tools::ToolOffer;
use crate::model::turn::{TurnFailure, WrittenTurn, write_turn};

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Requests the turn, and returns the reply; the inner error at a limit.
    pub(super) async fn ask(
        &mut self,
        offer: &mut Arc<ToolOffer<'w>>,
    ) -> Result<Result<WrittenTurn<'w, A>, ChatLimit>, Stop> {
        loop {
            let Self { run, model, prompt, limits, spent, watch, .. } = self;
            let failure = match write_turn(run, model, prompt, offer, (limits, spent), watch.as_mut()).await {
                Ok(written) => return Ok(Ok(written)),
                Err(failure) => failure,
            };
            match failure {
                TurnFailure::Limit(limit) => return Ok(Err(limit)),
                TurnFailure::Model(error) => return Err(error.into_model_stop(&self.prompt)),
                TurnFailure::RefusedOutput(error) => {
                    let why = error.without_prompt(&self.prompt);
                    tracing::warn!(%why, "the provider refuses the output's schema: a tool gives the output");
                    self.takes_native = false;
                    *offer = Arc::new(offer.with_output_tool(self.model).map_err(refused::<A>)?);
                    self.prompt.tools = Arc::clone(&offer.specs);
                    self.prompt.output = None;
                }
            }
        }
    }
}
