//! Uses every macro where no item has its usual name: the runtime is called `kitchen`, and the module's own types have
//! the names that generated code might use. Only the primitive types and `Some` keep their names, because the derives
//! of serde and schemars need them.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]
#![allow(dead_code, unused_macros, non_camel_case_types, reason = "names are taken on purpose")]

/// Not the standard library.
pub mod std {}
/// Not the core library.
pub mod core {}
/// Not the crate.
pub mod serde {}
/// Not the crate.
pub mod schemars {}
/// Not the runtime.
pub mod agui_runtime {}

macro_rules! taken {
    ($($name:ident)*) => {$(
        /// A type that shadows the usual one.
        pub struct $name;
    )*};
}

taken! {
    Result Option String Vec Box None Ok Err Cow Future Pin
    Agent Tool Stop Run_ Input_ Inject InjectScope State_ Finished Outcome Probe Serialize Deserialize JsonSchema
}

macro_rules! vec {
    () => {};
}
macro_rules! concat {
    () => {};
}
macro_rules! env {
    () => {};
}
macro_rules! assert {
    () => {};
}
macro_rules! compile_error {
    () => {};
}

/// The only place that knows the real names.
pub mod real {
    pub use ::kitchen::{Input, Run, Stop};
    pub use ::std::option::Option;
    pub use ::std::primitive::{bool, u32};
    pub use ::std::result::Result;
    pub use ::std::string::String;
    pub use ::std::vec::Vec;
}

/// A shop.
pub struct Shop;

/// The recipe on the table.
#[derive(
    ::kitchen::State,
    ::serde::Serialize,
    ::serde::Deserialize,
    ::schemars::JsonSchema,
    ::std::clone::Clone,
    ::std::default::Default,
)]
#[schemars(crate = "::schemars")]
pub struct Recipe {
    /// The title.
    pub title: real::String,
    /// The steps.
    #[state(key = "text")]
    pub steps: real::Vec<Step<real::String>>,
}

/// Something to do.
#[derive(
    ::kitchen::State, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema, ::std::clone::Clone,
)]
#[schemars(crate = "::schemars")]
pub struct Step<T> {
    /// In words.
    #[state(key)]
    pub text: T,
}

/// A part of the meal.
#[derive(
    ::kitchen::State, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema, ::std::clone::Clone,
)]
#[schemars(crate = "::schemars")]
pub enum Course {
    /// First.
    Starter,
    /// Then.
    Main,
}

/// Something is in the pan.
#[derive(::kitchen::CustomEvent, ::serde::Serialize, ::schemars::JsonSchema)]
#[schemars(crate = "::schemars")]
pub struct Sizzle {
    /// True if it is loud.
    pub loud: real::bool,
}

/// The next steps.
#[derive(
    ::kitchen::Activity, ::std::clone::Clone, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema,
)]
#[schemars(crate = "::schemars")]
pub struct Plan {
    /// The progress.
    pub at: real::u32,
}

/// Looks up what an ingredient costs.
#[::kitchen::tool]
pub async fn price(
    shop: &Shop,
    name: real::String,
    #[serde(default)] kilos: real::Option<real::u32>,
) -> real::Result<real::u32, ::std::fmt::Error> {
    let _ = (shop, name);
    real::Result::Ok(kilos.unwrap_or(1))
}

/// Says what time it is.
#[::kitchen::tool]
pub fn now() -> real::u32 {
    12
}

/// Asks the person to confirm.
#[::kitchen::tool(frontend)]
pub async fn confirm(total: real::u32) -> real::bool;

/// Cooks.
#[::kitchen::agent(state = Recipe, tools = [price, now, confirm], events = [Sizzle])]
pub async fn cook(
    run: &mut real::Run<Cook>,
    input: real::Input<Cook>,
    shop: &Shop,
) -> real::Result<real::u32, real::Stop> {
    let _ = (shop, input);
    run.say("Hm.").await;
    real::Result::Ok(3)
}

/// Ends its run itself.
#[::kitchen::agent(strict)]
pub async fn waiter<'r>(
    run: &'r mut real::Run<Waiter>,
    input: real::Input<Waiter>,
) -> real::Result<::kitchen::FinishedRun<'r, ()>, real::Stop> {
    let _ = input;
    real::Result::Ok(run.finish(()))
}

/// Reads the menu. Only another agent calls it.
#[::kitchen::agent]
pub async fn reader(run: &mut real::Run<Reader>, input: real::Input<Reader>) -> real::Result<real::u32, real::Stop> {
    let _ = (run, input);
    real::Result::Ok(7)
}

/// Knows the wines. Clients address it too.
#[::kitchen::agent(served)]
pub async fn steward(run: &mut real::Run<Steward>, input: real::Input<Steward>) -> real::Result<(), real::Stop> {
    let _ = (run, input);
    real::Result::Ok(())
}

/// Asks others.
#[::kitchen::agent(tools = [Reader], handoffs = [Steward])]
pub async fn maitre(
    run: &mut real::Run<Maitre>,
    input: real::Input<Maitre>,
    reader: &::std::sync::Arc<Reader>,
    steward: &::std::sync::Arc<Steward>,
) -> real::Result<(), real::Stop> {
    let _ = (run, input, reader, steward);
    real::Result::Ok(())
}

/// Has fields of its own.
pub struct Host {
    /// The greeting.
    pub greeting: real::String,
}

/// Greets.
#[::kitchen::agent(events = [Sizzle])]
impl Host {
    /// Greets.
    ///
    /// # Errors
    /// A run without anything.
    pub async fn run(
        &self,
        run: &mut real::Run<Self>,
        input: real::Input<Self>,
    ) -> real::Result<(), real::Stop> {
        let _ = input;
        run.say(&*self.greeting).await;
        real::Result::Ok(())
    }

    /// Finds a table.
    #[tool]
    pub async fn table(&self, emit: &::kitchen::Emit, guests: real::u32) -> real::String {
        let _ = (emit, guests);
        ::std::clone::Clone::clone(&self.greeting)
    }

    /// Asks for the name.
    #[tool(frontend)]
    pub fn name() -> real::String;
}

/// Calls the tool that a model chose.
///
/// # Errors
/// The end of the run.
pub async fn relay(run: &real::Run<Cook>, name: &str) -> real::Result<(), real::Stop> {
    use ::kitchen::OpenToolCall as _;
    let call: CookOpenCall<'_> = run.open_call(name).await?;
    if let CookReadyCall::now(call) = call.end()? {
        let _ = call.run().await;
    }
    real::Result::Ok(())
}

/// Calls the tool that a model chose.
///
/// # Errors
/// The end of the run.
pub async fn seat(run: &real::Run<Host>) -> real::Result<(), real::Stop> {
    use ::kitchen::OpenToolCall as _;
    let call: HostOpenCall<'_> = run.open_call("table").await?;
    let _ = run.dispatch(::std::vec![call.end()?]).await;
    real::Result::Ok(())
}
