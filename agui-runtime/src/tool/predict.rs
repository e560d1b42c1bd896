//! What a model is still writing, shown in the state: the arguments in `#[tool(predict(..))]`.

use std::fmt;

use super::Scope;
use super::arriving::Arriving;
use crate::agent::Agent;
use crate::quoted::quoted;
use crate::state::{State, StateError, StateHandle, Streamed};

/// The arguments of one call that are shown while they are written.
pub struct Predictions<A: Agent> {
    arriving: Arriving,
    write: fn(&Scope<'_, A>, &Texts<'_>),
}

impl<A: Agent> Predictions<A> {
    /// `write` takes the texts in the order of their names.
    #[doc(hidden)]
    #[must_use]
    pub fn new(names: &[&'static str], write: fn(&Scope<'_, A>, &Texts<'_>)) -> Box<Self> {
        Box::new(Self { arriving: Arriving::new(names), write })
    }

    pub(crate) fn feed<'a>(&mut self, json: &str, scope: impl FnOnce() -> Scope<'a, A>) {
        if self.arriving.feed(json) {
            (self.write)(&scope(), &Texts(&self.arriving));
        }
    }
}

impl<A: Agent> fmt::Debug for Predictions<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predictions").finish_non_exhaustive()
    }
}

/// What one piece of the arguments said.
#[doc(hidden)]
#[derive(Debug)]
pub struct Texts<'a>(&'a Arriving);

impl Texts<'_> {
    /// Shows a text in its place, if the piece said anything of it.
    pub fn write<T: Streamed>(&self, number: usize, place: &mut T) {
        if let Some((text, new)) = self.0.news(number) {
            place.stream(text, new);
        }
    }
}

/// A tool's parameter that is the state of the run.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the state of a run",
    label = "an argument can only be shown in the state",
    note = "take the state: `name: &StateHandle<Doc>`, with the type in `#[agent(state = ..)]` for `Doc`"
)]
pub trait StateParameter {
    type State;

    fn show(&self, edit: impl FnOnce(&mut Self::State));
}

impl<S: State> StateParameter for StateHandle<S> {
    type State = S;

    fn show(&self, edit: impl FnOnce(&mut S)) {
        match self.change(edit, None) {
            Ok(()) => {}
            Err(StateError::NoBaseline) => {
                tracing::debug!("an argument is not shown in the state, which has no baseline yet");
            }
            // The state's next update meets the same error, and returns it.
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

/// The name of a member, of an argument that is a text.
#[must_use]
pub const fn text_argument<T: TextArgument>(name: &'static str) -> &'static str {
    name
}
