//! The handle for a tool that sends custom events and activities: the handle's type names them, and each agent with the tool must
//! list them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use super::{ActivityOf, CustomEvent, Emit, EventOf, OpenActivity, SendCustom, StartActivity, WriteFuture};
use crate::bundle::Unmet;
use crate::emit::Activity;

/// An [`Emit`] that also sends the custom events `E` and shows the activities `T`: the parameter for a tool with signals to the
/// user interface.
///
/// A tool does not know its agents, and each agent's clients know only the events that the agent lists. So the tool's parameter
/// type names what the tool sends: one type, or several as a tuple. An agent that has the tool but does not list all named types
/// does not compile.
///
/// | parameter | sends |
/// |---|---|
/// | `emit: &TypedEmit<Sizzle>` | one custom event |
/// | `emit: &TypedEmit<(Sizzle, Boil)>` | several |
/// | `emit: &TypedEmit<(), Pan>` | an activity |
/// | `emit: &TypedEmit<(Sizzle, Boil), (Pan, Oven)>` | several of both |
///
/// ```
/// use agui_runtime::TypedEmit;
/// use agui_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// Something is in the pan.
/// #[derive(CustomEvent, Serialize, JsonSchema)]
/// #[event(name = "kitchen.sizzle")]
/// struct Sizzle {
///     loud: bool,
/// }
///
/// /// The pan on the stove.
/// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
/// #[activity(type = "PAN")]
/// struct Pan {
///     degrees: u32,
/// }
///
/// /// Fries something.
/// #[tool]
/// async fn fry(emit: &TypedEmit<Sizzle, Pan>, name: String) -> Result<String, Stop> {
///     let mut pan = emit.activity(Pan { degrees: 20 }).await?; // ACTIVITY_SNAPSHOT
///     pan.update(|pan| pan.degrees = 180).await?; // ACTIVITY_DELTA, or ACTIVITY_SNAPSHOT
///     emit.custom(Sizzle { loud: true }).await?; // CUSTOM
///     emit.say("It sizzles.").await; // all that an `Emit` writes
///     Ok(format!("fried {name}"))
/// }
///
/// /// Cooks with you.
/// #[agent(tools = [fry], events = [Sizzle], activities = [Pan])]
/// async fn chef(run: &mut Run<Chef>, _: Input<Chef>) -> Result<(), Stop> {
///     run.call(fry { name: "rice".to_owned() }).await?.run().await?;
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(events.iter().any(|event| matches!(event, agui_runtime::protocol::Event::Custom(_))), "{events:#?}");
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
pub struct TypedEmit<E: 'static, T: 'static = ()> {
    emit: Emit,
    lists: PhantomData<fn() -> (E, T)>,
}

impl<E: 'static, T: 'static> TypedEmit<E, T> {
    pub(crate) fn new(emit: Emit) -> Self {
        Self { emit, lists: PhantomData }
    }

    /// Sends a custom event: CUSTOM when awaited (AG-UI 1.0, section "Passthrough").
    ///
    /// # Errors
    /// [`CustomEventError`](crate::events::CustomEventError) if the value has no JSON form; nothing is sent then.
    #[expect(clippy::needless_pass_by_value, reason = "an event is sent once")]
    pub fn custom<Event: CustomEvent, Place>(&self, event: Event) -> WriteFuture<'_, SendCustom>
    where
        E: EventNamed<Event, Place>,
    {
        WriteFuture::new(&self.emit, SendCustom::new(&event))
    }

    /// Opens an activity: ACTIVITY_SNAPSHOT when awaited (AG-UI 1.0, section "Activity"). The returned handle changes the
    /// activity.
    ///
    /// # Errors
    /// [`ActivityError`](crate::events::ActivityError) if the value has no JSON form or is not an object; nothing is sent then.
    pub fn activity<Content: Activity, Place>(&self, content: Content) -> OpenActivity<'_, Content>
    where
        T: ActivityNamed<Content, Place>,
    {
        WriteFuture::new(&self.emit, StartActivity::new(content))
    }
}

impl<E: 'static, T: 'static> Deref for TypedEmit<E, T> {
    type Target = Emit;

    fn deref(&self) -> &Emit {
        &self.emit
    }
}

impl<E: 'static, T: 'static> fmt::Debug for TypedEmit<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedEmit").field(&self.emit).finish()
    }
}

/// The custom events that a [`TypedEmit`] names, all listed by agent `A`: an event, or a tuple of up to eight.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of custom events",
    label = "a tool names an event here, or a tuple of events",
    note = "write `&TypedEmit<Sizzle>`, `&TypedEmit<(Sizzle, Boil)>`, or `&TypedEmit<(), Pan>` for activities; an event is a type with \
            `#[derive(CustomEvent, Serialize, JsonSchema)]`"
)]
pub trait EventListOf<A: ?Sized> {}

/// The activities that a [`TypedEmit`] names, all listed by agent `A`: an activity, or a tuple of up to eight.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of activities",
    label = "a tool names an activity here, or a tuple of activities",
    note = "write `&TypedEmit<(), Pan>` or `&TypedEmit<(), (Pan, Oven)>`; an activity is a type with \
            `#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]`"
)]
pub trait ActivityListOf<A: ?Sized> {}

/// A custom event list with event `E` at a position.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{E}` is not among the events that this tool names",
    label = "this handle sends only the events in its type",
    note = "add it to the type of the parameter, `&TypedEmit<({E}, ..)>`: so each agent with the tool is checked to list it"
)]
pub trait EventNamed<E, Place> {}

/// An activity list with activity `T` at a position.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is not among the activities that this tool names",
    label = "this handle shows only the activities in its type",
    note = "add it to the type of the parameter, `&TypedEmit<(), ({T}, ..)>`: so each agent with the tool is checked to list it"
)]
pub trait ActivityNamed<T, Place> {}

impl<A: ?Sized> EventListOf<A> for () {}
impl<A: ?Sized> ActivityListOf<A> for () {}

/// The position of a single element.
#[doc(hidden)]
#[derive(Debug)]
pub enum OnlyElement {}

/// A position in a tuple.
#[doc(hidden)]
#[derive(Debug)]
pub enum TuplePosition<const PLACE: usize> {}

/// The position of an element outside all lists. Without a second impl, the compiler would unify a wrong event with the only impl,
/// and report mismatched types.
#[doc(hidden)]
#[derive(Debug)]
pub enum MissingElement {}

#[diagnostic::do_not_recommend]
impl<E: Unmet<()>, L> EventNamed<E, MissingElement> for L {}
#[diagnostic::do_not_recommend]
impl<T: Unmet<()>, L> ActivityNamed<T, MissingElement> for L {}
#[diagnostic::do_not_recommend]
impl<E: CustomEvent> EventNamed<E, OnlyElement> for E {}
#[diagnostic::do_not_recommend]
impl<T: Activity> ActivityNamed<T, OnlyElement> for T {}

macro_rules! lists {
    ($(($($Element:ident $place:literal),+))+) => {$(
        impl<A: ?Sized, $($Element: EventOf<A>),+> EventListOf<A> for ($($Element,)+) {}
        impl<A: ?Sized, $($Element: ActivityOf<A>),+> ActivityListOf<A> for ($($Element,)+) {}
        lists!(@ ($($Element),+) $($Element $place),+);
    )+};
    (@ $all:tt $($Element:ident $place:literal),+) => {
        $(lists!(@@ $all $Element $place);)+
    };
    (@@ ($($All:ident),+) $Element:ident $place:literal) => {
        #[diagnostic::do_not_recommend]
        impl<$($All),+> EventNamed<$Element, TuplePosition<$place>> for ($($All,)+) {}
        #[diagnostic::do_not_recommend]
        impl<$($All),+> ActivityNamed<$Element, TuplePosition<$place>> for ($($All,)+) {}
    };
}

lists! {
    (E0 0)
    (E0 0, E1 1)
    (E0 0, E1 1, E2 2)
    (E0 0, E1 1, E2 2, E3 3)
    (E0 0, E1 1, E2 2, E3 3, E4 4)
    (E0 0, E1 1, E2 2, E3 3, E4 4, E5 5)
    (E0 0, E1 1, E2 2, E3 3, E4 4, E5 5, E6 6)
    (E0 0, E1 1, E2 2, E3 3, E4 4, E5 5, E6 6, E7 7)
}
