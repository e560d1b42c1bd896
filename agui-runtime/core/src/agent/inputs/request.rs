//! Values that an agent takes from a run's request.

use std::any::type_name;
use std::sync::Arc;

use crate::emit::RequestValues;

/// Values that an agent takes from each run's request: its [`Agent::Request`](crate::Agent::Request).
///
/// `#[agent]` derives the type from the `#[request]` parameters. A hand-written agent chooses one from this table, and finds the
/// value in [`Run::request`](crate::Run::request):
///
/// | type | the request |
/// |---|---|
/// | `()` | needs no value |
/// | `Arc<T>` | must bring a `T`; without a `T` the run does not start |
/// | `Option<Arc<T>>` | may bring a `T` |
/// | `(A, B)` | both; pairs nest |
///
/// A request value may have any type that is `Clone + Send + Sync + 'static`. Over HTTP, layers put such values into the request
/// extensions; without a server, pass them to [`RunOptions::request`](crate::RunOptions::request).
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::{Agent, FinishedRun, Input, Run, RunOptions, Stop, testing};
///
/// #[derive(Clone)]
/// struct Customer {
///     name: String,
/// }
///
/// struct Greeter;
///
/// impl Agent for Greeter {
///     type State = ();
///     type Request = Arc<Customer>;
///     type Output = ();
///
///     async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
///         run.say(format!("Hello, {}!", run.request().name)).await;
///         Ok(run.finish(()))
///     }
///
///     fn source() -> AgentSource {
///         AgentSource { rust_path: std::any::type_name::<Self>(), ..AgentSource::new("greeter") }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let options = testing::options().request(Customer { name: "Ada".to_owned() });
/// let events = testing::run_with(Greeter, testing::input("Hi"), options).await;
/// assert_eq!(testing::texts(&events), ["Hello, Ada!"]);
/// # });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be taken from a request",
    label = "not a type that a request can be read as",
    note = "`Agent::Request` is `()`, `Arc<T>`, `Option<Arc<T>>` or a pair of such types, and `T` is \
            `Clone + Send + Sync + 'static`"
)]
pub trait FromRequestValues: sealed::Sealed + Clone + Send + Sync + 'static {
    /// Checks that the request has the required values. Clones nothing.
    #[doc(hidden)]
    fn check(values: &RequestValues) -> Result<(), MissingRequestValue>;

    #[doc(hidden)]
    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue>;
}

impl FromRequestValues for () {
    fn check(_: &RequestValues) -> Result<(), MissingRequestValue> {
        Ok(())
    }

    fn find(_: &RequestValues) -> Result<Self, MissingRequestValue> {
        Ok(())
    }
}

impl<T: Clone + Send + Sync + 'static> FromRequestValues for Arc<T> {
    fn check(values: &RequestValues) -> Result<(), MissingRequestValue> {
        if has::<T>(values) { Ok(()) } else { Err(MissingRequestValue::new::<T>()) }
    }

    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue> {
        get(values).ok_or_else(MissingRequestValue::new::<T>)
    }
}

impl<T: Clone + Send + Sync + 'static> FromRequestValues for Option<Arc<T>> {
    fn check(_: &RequestValues) -> Result<(), MissingRequestValue> {
        Ok(())
    }

    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue> {
        Ok(get(values))
    }
}

impl<A: FromRequestValues, B: FromRequestValues> FromRequestValues for (A, B) {
    fn check(values: &RequestValues) -> Result<(), MissingRequestValue> {
        A::check(values)?;
        B::check(values)
    }

    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue> {
        Ok((A::find(values)?, B::find(values)?))
    }
}

/// Option values take precedence over extension values.
fn get<T: Clone + Send + Sync + 'static>(values: &RequestValues) -> Option<Arc<T>> {
    let given = values.get::<T>();
    #[cfg(feature = "server")]
    let given =
        given.or_else(|| values.get::<http::Extensions>()?.get::<T>().map(|value| Arc::new(value.clone())));
    given
}

fn has<T: Clone + Send + Sync + 'static>(values: &RequestValues) -> bool {
    let given = values.get::<T>().is_some();
    #[cfg(feature = "server")]
    let given = given || values.get::<http::Extensions>().is_some_and(|all| all.get::<T>().is_some());
    given
}

/// Error for a run that cannot start, because its request lacks a value that the agent requires.
///
/// A server responds with status 401 and code [`CODE`](Self::CODE). A run started without this check ends in RUN_ERROR with the
/// same code. The client does not learn which value is missing; the log does, through the [source](std::error::Error::source).
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::runs::MissingRequestValue;
/// use agui_runtime::testing::{self, RunEnd};
///
/// #[derive(Clone)]
/// struct Customer(String);
///
/// /// Greets customers.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>, #[request] customer: &Customer) -> Result<(), Stop> {
///     run.say(format!("Hello, {}!", customer.0)).await;
///     Ok(())
/// }
///
/// # futures::executor::block_on(async {
/// let events = testing::run(Greeter::new(), testing::input("Hi")).await;
/// assert!(matches!(testing::end(&events), RunEnd::Failed { code: Some(MissingRequestValue::CODE), .. }));
/// # });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request lacks a value that this agent needs, such as the identity of its client")]
pub struct MissingRequestValue {
    #[source]
    absent: AbsentValue,
}

/// Log-only detail.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no value of type `{type_name}` came with the request: no layer put one into its extensions, and its options have none"
)]
struct AbsentValue {
    type_name: &'static str,
}

impl MissingRequestValue {
    /// The stable code, in server responses and in RUN_ERROR.
    pub const CODE: &'static str = "missing_request_value";

    fn new<T>() -> Self {
        Self { absent: AbsentValue { type_name: type_name::<T>() } }
    }

    /// Returns the value's Rust type, which is not for the client.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.absent.type_name
    }
}

mod sealed {
    use std::sync::Arc;

    pub trait Sealed {}
    impl Sealed for () {}
    impl<T> Sealed for Arc<T> {}
    impl<T> Sealed for Option<Arc<T>> {}
    impl<A, B> Sealed for (A, B) {}
}
