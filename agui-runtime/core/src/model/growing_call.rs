//! A tool call whose arguments still stream from the model.

use std::borrow::Cow;
use std::collections::HashMap;

use super::prompt::ModelCall;
use super::tools::ToolOffer;
use crate::agent::SettledCall;
use crate::agent::tool::{BoxedCall, SettleOutcome, SettlingCall, failure_content};
use crate::protocol::{EncryptedValue, Tool as ClientTool, ToolCallId};

/// A call whose arguments are streaming.
pub(super) struct GrowingCall<'w> {
    pub(super) tool: String,
    pub(super) id: Option<String>,
    pub(super) arguments: String,
    pub(super) encrypted: Option<EncryptedValue>,
    pub(super) state: GrowingCallState<'w>,
}

pub(super) enum GrowingCallState<'w> {
    /// An open backend call: the client sees the arguments grow.
    Open(BoxedCall<'w>),
    /// A backend call before its first argument, unsent because the provider's id may still come.
    Named,
    /// A ready backend call.
    Settled(SentCall<'w>),
    /// A frontend call, withheld until its arguments are valid: a sent call cannot be taken back, and the client would act on it.
    Held,
    /// A call to a client-only tool, withheld likewise.
    HeldOfClient(ClientTool),
    /// A call to a private tool, which is never sent, and the reason if a hook refused the call.
    Private(Option<String>),
    /// The chat's output. The call is not sent: its arguments are the output.
    Output,
    /// A search for tools. The call is not sent: the result is for the model alone.
    Search,
    /// A call to an unknown tool, not sent.
    Unknown,
    /// A withheld call that a hook refused for this reason, not sent.
    Refused(String),
}

/// A sent call, or the reason why the call could not be made.
pub(super) struct SentCall<'w> {
    pub(super) id: ToolCallId,
    pub(super) ready: Result<Option<SettlingCall<'w>>, String>,
}

impl GrowingCall<'_> {
    /// True if the call runs or is sent, judged by tool and arguments alone. False for the chat's output, and for a search.
    pub(super) fn can_be_made(&self, offer: &ToolOffer<'_>) -> bool {
        match &self.state {
            GrowingCallState::Unknown
            | GrowingCallState::Output
            | GrowingCallState::Search
            | GrowingCallState::Private(Some(_))
            | GrowingCallState::Refused(_) => false,
            GrowingCallState::Private(None) => offer.check_private(&self.tool, &self.arguments).is_ok(),
            GrowingCallState::HeldOfClient(_) => check_object(&self.arguments).is_ok(),
            GrowingCallState::Open(_)
            | GrowingCallState::Named
            | GrowingCallState::Settled(_)
            | GrowingCallState::Held => offer.check(&self.tool, &self.arguments).is_ok(),
        }
    }

    /// Returns the call as the model wrote it; `own` is the fallback id.
    pub(super) fn written(&self, own: &ToolCallId) -> ModelCall {
        let id = match &self.state {
            GrowingCallState::Open(call) => call.id().clone(),
            GrowingCallState::Settled(sent) => sent.id.clone(),
            _ => self.id.as_deref().map_or_else(|| own.clone(), ToolCallId::from),
        };
        let (tool, arguments, encrypted) =
            (self.tool.clone(), self.arguments.clone(), self.encrypted.clone());
        ModelCall { id, tool, arguments, encrypted }
    }

    /// Refuses a call on behalf of a hook. A withheld call is not sent.
    pub(super) fn refuse(&mut self, why: String) {
        self.state = match std::mem::replace(&mut self.state, GrowingCallState::Unknown) {
            GrowingCallState::Open(call) => {
                let id = call.id().clone();
                let content = failure_content(&why);
                call.refuse(&why);
                let tool = self.tool.clone().into();
                let settled = SettledCall { id: id.clone(), tool, content, parts: Vec::new(), failed: true };
                let ready: SettlingCall<'_> = Box::pin(std::future::ready(SettleOutcome::Settled(settled)));
                GrowingCallState::Settled(SentCall { id, ready: Ok(Some(ready)) })
            }
            // The refusal is the model's alone too.
            GrowingCallState::Private(_) => GrowingCallState::Private(Some(why)),
            _ => GrowingCallState::Refused(why),
        };
    }

    /// Ends a backend call, and waits for its policy; `asks` becomes true if the user must approve the call.
    pub(super) async fn end(&mut self, asks: &mut bool) {
        self.state = match std::mem::replace(&mut self.state, GrowingCallState::Unknown) {
            GrowingCallState::Open(call) => {
                let id = call.id().clone();
                let ready = match call.settle() {
                    Ok(decided) => {
                        let (ready, must_ask) = decided.decided().await;
                        *asks |= must_ask;
                        Ok(Some(ready))
                    }
                    Err(why) => Err(why),
                };
                GrowingCallState::Settled(SentCall { id, ready })
            }
            other => other,
        };
    }

    pub(super) async fn push(&mut self, arguments: String) {
        if arguments.is_empty() {
            return;
        }
        self.arguments.push_str(&arguments);
        if let GrowingCallState::Open(call) = &mut self.state {
            call.push(arguments).await;
        }
    }
}

/// Checks that an untyped tool's arguments are a JSON object. Empty text counts as an empty object.
pub(super) fn check_object(arguments: &str) -> Result<(), String> {
    use serde_json::error::Category;
    if arguments.trim().is_empty() {
        return Ok(());
    }
    match serde_json::from_str::<HashMap<Cow<'_, str>, serde::de::IgnoredAny>>(arguments) {
        Ok(_) => Ok(()),
        Err(error) if error.classify() == Category::Data => Err("no JSON object".to_owned()),
        Err(error) => Err(format!("not JSON: {error}")),
    }
}
