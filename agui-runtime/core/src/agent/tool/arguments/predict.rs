//! Arguments that the state shows while the model writes them: those in `#[tool(predict(..))]`.

use std::fmt;

use super::arriving::ArrivingMembers;
use crate::agent::Agent;
use crate::agent::tool::InjectScope;
use crate::emit::StateHandle;
use crate::quoted::quoted;
use crate::state::{State, StateError, Streamed};

/// One call's arguments that the state shows while they are written.
pub struct StatePredictions<A: Agent> {
    arriving: ArrivingMembers,
    /// True if any text was shown.
    is_shown: bool,
    write: fn(&InjectScope<'_, A>, &PredictedTexts<'_>),
}

impl<A: Agent> StatePredictions<A> {
    /// Creates the predictions; `write` takes the texts in name order.
    #[doc(hidden)]
    #[must_use]
    pub fn new(names: &[&'static str], write: fn(&InjectScope<'_, A>, &PredictedTexts<'_>)) -> Box<Self> {
        Box::new(Self { arriving: ArrivingMembers::new(names), is_shown: false, write })
    }

    pub(crate) fn feed<'a>(&mut self, json: &str, scope: impl FnOnce() -> InjectScope<'a, A>) {
        if self.arriving.feed(json) {
            self.is_shown = true;
            (self.write)(&scope(), &PredictedTexts(Some(&self.arriving)));
        }
    }

    /// Sends the written state once more, when the call ends.
    ///
    /// A page that learns the arguments from CUSTOM `PredictState` also writes them into its state copy, and is always one piece
    /// behind: the official client passes its subscribers the arguments from before a TOOL_CALL_ARGS, not from after it, and
    /// CopilotKit's page ignores TOOL_CALL_END. Without this, the page's copy would lack the last piece for good.
    pub(crate) fn end<'a>(&self, scope: impl FnOnce() -> InjectScope<'a, A>) {
        if self.is_shown {
            (self.write)(&scope(), &PredictedTexts(None));
        }
    }
}

impl<A: Agent> fmt::Debug for StatePredictions<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predictions").finish_non_exhaustive()
    }
}

/// Texts that one arguments piece extends; empty after the last piece.
#[doc(hidden)]
#[derive(Debug)]
pub struct PredictedTexts<'a>(Option<&'a ArrivingMembers>);

impl PredictedTexts<'_> {
    /// Writes a text to its place, if the piece extends that text.
    pub fn write<T: Streamed>(&self, number: usize, place: &mut T) {
        if let Some((text, new)) = self.0.and_then(|arriving| arriving.news(number)) {
            place.stream(text, new);
        }
    }
}

/// A tool parameter that is the run's state.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the state of a run",
    label = "an argument can only be shown in the state",
    note = "take the state: `name: &StateHandle<Doc>`, with the type in `#[agent(state = ..)]` for `Doc`"
)]
pub trait StateParameter {
    type State;

    fn show(&self, texts: &PredictedTexts<'_>, edit: impl FnOnce(&mut Self::State));
}

impl<S: State> StateParameter for StateHandle<S> {
    type State = S;

    fn show(&self, texts: &PredictedTexts<'_>, edit: impl FnOnce(&mut S)) {
        let shown = match texts.0 {
            Some(_) => self.change(edit, None),
            None => self.send_whole(None),
        };
        match shown {
            Ok(()) => {}
            Err(StateError::NoBaseline) => {
                tracing::debug!("an argument is not shown in the state, which has no baseline yet");
            }
            // The next update of the state fails with the same error, and returns it.
            Err(error) => tracing::warn!(error = %quoted(error), "an argument is not shown in the state"),
        }
    }
}

/// An argument whose JSON is a string.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument that can be shown while it is written",
    label = "only a text grows letter by letter",
    note = "`#[tool(predict(..))]` takes arguments of type `String` or `Option<String>`"
)]
pub trait TextArgument {}

impl TextArgument for String {}
impl TextArgument for Box<str> {}
impl<T: TextArgument> TextArgument for Option<T> {}

/// Returns the member's name, and checks that the argument is a text.
#[doc(hidden)]
#[must_use]
pub const fn text_argument<T: TextArgument>(name: &'static str) -> &'static str {
    name
}
