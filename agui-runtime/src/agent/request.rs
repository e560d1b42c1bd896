use std::any::type_name;
use std::sync::Arc;

use super::Stop;
use crate::emit::RequestValues;

/// What an agent takes from the request of each run: its [`Agent::Request`](crate::Agent::Request).
///
/// `#[agent]` writes it from the parameters with `#[request]`. An agent written by hand chooses one of these types, and
/// finds the value in [`Run::request`](crate::Run::request):
///
/// | type | the request |
/// |---|---|
/// | `()` | brings nothing that the agent looks at |
/// | `Arc<T>` | must bring a `T`; without one the run does not start |
/// | `Option<Arc<T>>` | may bring a `T` |
/// | `(A, B)` | both; pairs nest |
///
/// A value of any type that is `Clone + Send + Sync + 'static` can come with a request. Over HTTP it is what a layer put into
/// the extensions of the request; without a server it is what [`RunOptions::request`](crate::RunOptions::request) was
/// given.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::{Agent, Finished, Input, Run, RunOptions, Stop, testing};
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
///     async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<Finished<'r, ()>, Stop> {
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
    label = "not one of the types a request is read as",
    note = "`Agent::Request` is `()`, `Arc<T>`, `Option<Arc<T>>` or a pair of such types, and `T` is \
            `Clone + Send + Sync + 'static`"
)]
pub trait Requested: sealed::Sealed + Clone + Send + Sync + 'static {
    /// Whether the request brings what is needed. Clones nothing.
    #[doc(hidden)]
    fn check(values: &RequestValues) -> Result<(), MissingRequestValue>;

    #[doc(hidden)]
    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue>;
}

impl Requested for () {
    fn check(_: &RequestValues) -> Result<(), MissingRequestValue> {
        Ok(())
    }

    fn find(_: &RequestValues) -> Result<Self, MissingRequestValue> {
        Ok(())
    }
}

impl<T: Clone + Send + Sync + 'static> Requested for Arc<T> {
    fn check(values: &RequestValues) -> Result<(), MissingRequestValue> {
        if has::<T>(values) { Ok(()) } else { Err(MissingRequestValue::of::<T>()) }
    }

    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue> {
        get(values).ok_or_else(MissingRequestValue::of::<T>)
    }
}

impl<T: Clone + Send + Sync + 'static> Requested for Option<Arc<T>> {
    fn check(_: &RequestValues) -> Result<(), MissingRequestValue> {
        Ok(())
    }

    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue> {
        Ok(get(values))
    }
}

impl<A: Requested, B: Requested> Requested for (A, B) {
    fn check(values: &RequestValues) -> Result<(), MissingRequestValue> {
        A::check(values)?;
        B::check(values)
    }

    fn find(values: &RequestValues) -> Result<Self, MissingRequestValue> {
        Ok((A::find(values)?, B::find(values)?))
    }
}

/// A value that was given wins over one in the extensions.
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

/// A run cannot start: its request lacks a value that the agent needs.
///
/// A server answers with status 401 and code [`CODE`](Self::CODE). A run that is started without asking first ends in
/// RUN_ERROR with the same code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request carries no `{type_name}`, and this agent does not run without one")]
#[non_exhaustive]
pub struct MissingRequestValue {
    /// The Rust type of the value.
    pub type_name: &'static str,
}

impl MissingRequestValue {
    /// The stable code, in the answer of a server and in RUN_ERROR.
    pub const CODE: &'static str = "missing_request_value";

    fn of<T>() -> Self {
        Self { type_name: type_name::<T>() }
    }

    pub(crate) fn stop(&self) -> Stop {
        Stop::error(self.to_string()).with_code(Self::CODE)
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
