//! The form in which a model gives the chat's output: the provider's own, or a tool.

use std::sync::Arc;

use super::chat_model::Model;
use super::output_spec::OutputSpec;
use super::tools::{OfferedTool, ToolOffer, ToolOfferError};

impl ToolOffer<'_> {
    /// Offers the chat's output in the provider's form, if the model has that form for these tools; else as a tool.
    pub(super) fn add_output(&mut self, model: &Model, takes_native: bool) -> Result<(), ToolOfferError> {
        let Some(output) = self.output.clone() else { return Ok(()) };
        if takes_native && model.takes_output(&output.native, &self.specs) {
            self.native_output = Some(Arc::clone(&output.native));
            return Ok(());
        }
        self.add_output_tool(model)
    }

    /// Returns the offer with the output as a tool, for a provider that has refused the other form.
    pub(super) fn with_output_tool(&self, model: &Model) -> Result<Self, ToolOfferError> {
        let mut offer = self.clone();
        offer.native_output = None;
        offer.add_output_tool(model)?;
        Ok(offer)
    }

    /// Puts the output's tool behind the agent's tools: the tools before it are the same in each run.
    fn add_output_tool(&mut self, model: &Model) -> Result<(), ToolOfferError> {
        let Some(output) = &self.output else { return Ok(()) };
        model.check_tool(&output.spec).map_err(ToolOfferError::Schema)?;
        let is_agents =
            |name: &str| matches!(self.get(name), Some(OfferedTool::Backend | OfferedTool::Frontend));
        let mut specs = self.specs.to_vec();
        let place = specs.iter().take_while(|spec| is_agents(&spec.name)).count();
        specs.insert(place, output.spec.clone());
        self.known.insert(output.spec.name.clone(), OfferedTool::Output);
        self.specs = specs.into();
        Ok(())
    }

    /// Returns the output that the provider's own form asks for.
    pub(super) fn native_output(&self) -> Option<&Arc<OutputSpec>> {
        self.native_output.as_ref()
    }
}
