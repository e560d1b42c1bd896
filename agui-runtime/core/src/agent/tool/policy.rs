//! Approval policies: functions that decide if the user must approve a call.

use std::future::{Future, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::{InjectOption, InjectScope, InjectValue, SettleOutcome, SettlingCall};
use crate::agent::{Agent, discard, panic_text};
use crate::quoted::quoted;

/// A policy's decision: true if the user must approve the call.
#[doc(hidden)]
pub enum PolicyDecision<'s> {
    Now(bool),
    Later(BoxFuture<'s, bool>),
}

/// A tool's approval policy.
#[doc(hidden)]
pub type PolicyFn<A, T> = for<'s, 'a> fn(&'s T, &'s InjectScope<'a, A>) -> PolicyDecision<'s>;

impl PolicyDecision<'_> {
    /// Waits for the policy.
    pub(super) async fn decided(self) -> bool {
        match self {
            Self::Now(asks) => asks,
            Self::Later(deciding) => deciding.await,
        }
    }
}

/// Any tool's call before settlement.
#[doc(hidden)]
pub enum SettlementStage<'w> {
    /// No approval is needed.
    Now(SettlingCall<'w>),
    /// The policy decides first.
    Later(Box<dyn UndecidedCall + Send + 'w>),
}

/// A call before its policy's decision. A trait, because a boxed future that returns a future would make every call invariant.
#[doc(hidden)]
pub trait UndecidedCall {
    /// Waits for the policy: true if the user must approve the call.
    fn decided<'s>(self: Box<Self>) -> BoxFuture<'s, (SettlingCall<'s>, bool)>
    where
        Self: 's;
}

/// A call that the user must approve.
#[cfg(feature = "model")]
pub(crate) struct ApprovalCall<'w>(pub(crate) SettlingCall<'w>);

#[cfg(feature = "model")]
impl UndecidedCall for ApprovalCall<'_> {
    fn decided<'s>(self: Box<Self>) -> BoxFuture<'s, (SettlingCall<'s>, bool)>
    where
        Self: 's,
    {
        Box::pin(ready((self.0 as SettlingCall<'s>, true)))
    }
}

impl<'w> SettlementStage<'w> {
    /// Waits for the policy.
    #[cfg(feature = "model")]
    pub(crate) async fn decided(self) -> (SettlingCall<'w>, bool) {
        match self {
            Self::Now(settling) => (settling, false),
            Self::Later(call) => call.decided().await,
        }
    }

    /// Waits for the policy, then settles the call.
    pub(crate) fn settle(self) -> SettlingCall<'w> {
        match self {
            Self::Now(settling) => settling,
            Self::Later(call) => {
                let deciding = call.decided();
                Box::pin(async { deciding.await.0.await })
            }
        }
    }
}

/// Returns a policy's decision. A panic counts as true: the user must approve.
#[cfg(feature = "model")]
pub(crate) fn policy_asks(tool: &str, policy: impl FnOnce() -> bool) -> bool {
    catch_unwind(AssertUnwindSafe(policy)).unwrap_or_else(|panic| asks_after(tool, panic))
}

/// Runs a policy and catches panics, also from the call to an async policy.
pub(super) fn decision_of<'s>(
    tool: &'static str,
    policy: impl FnOnce() -> PolicyDecision<'s>,
) -> PolicyDecision<'s> {
    match catch_unwind(AssertUnwindSafe(policy)) {
        Ok(PolicyDecision::Now(asks)) => PolicyDecision::Now(asks),
        Ok(PolicyDecision::Later(deciding)) => {
            let deciding = AssertUnwindSafe(deciding).catch_unwind();
            PolicyDecision::Later(
                deciding.map(|asks| asks.unwrap_or_else(|panic| asks_after(tool, panic))).boxed(),
            )
        }
        Err(panic) => PolicyDecision::Now(asks_after(tool, panic)),
    }
}

fn asks_after(tool: &str, panic: Box<dyn std::any::Any + Send>) -> bool {
    let text = quoted(panic_text(&*panic)).to_string();
    tracing::error!(tool, panic = text, "the policy of an approval panicked: the user is asked");
    discard(panic);
    true
}

/// Returns the settlement for a call that stops the run.
pub(super) fn settling_stop<'w>(settled: SettleOutcome) -> SettlingCall<'w> {
    Box::pin(ready(settled))
}

/// Decides if the user must approve a call to `T`: `fn(&T) -> bool` or `async fn(&T) -> bool`, with any values that the tool
/// borrows after the arguments, found by type. `Shape` tells the forms apart.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is no policy for calls of `{T}`",
    label = "cannot decide if a call of `{T}` asks the user",
    note = "write `fn policy(arguments: &{T}) -> bool`, or the same as `async fn`; behind the arguments, it may borrow what the tool \
            borrows, each in a parameter of the same type"
)]
pub trait ApprovalPolicy<A, T, Shape> {
    fn decide<'s>(self, arguments: &'s T, scope: &'s InjectScope<'_, A>) -> PolicyDecision<'s>
    where
        A: Agent;
}

/// Runs a policy, for code that `#[tool]` generates.
#[doc(hidden)]
pub fn policy_decision<'s, A: Agent, T, Shape>(
    policy: impl ApprovalPolicy<A, T, Shape>,
    arguments: &'s T,
    scope: &'s InjectScope<'_, A>,
) -> PolicyDecision<'s> {
    policy.decide(arguments, scope)
}

/// Waits for a policy that is an async closure, for code that `#[tool]` generates.
#[doc(hidden)]
pub fn policy_decision_later<'s>(deciding: impl Future<Output = bool> + Send + 's) -> PolicyDecision<'s> {
    PolicyDecision::Later(Box::pin(deciding))
}

/// Policy shapes.
mod shape {
    use std::marker::PhantomData;

    pub struct Now<P>(PhantomData<P>);
    pub struct Later<P>(PhantomData<P>);
    pub struct Plain<P>(PhantomData<P>);
    pub struct Optional<P>(PhantomData<P>);
}

/// Implements policies with these parameters after the arguments.
macro_rules! policies {
    ($($Deciding:ident: $($P:ident $How:ident $Provider:ident $inject:ident),*;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<A, T, F, $($P: 'static),*> ApprovalPolicy<A, T, shape::Now<($(shape::$How<$P>,)*)>> for F
        where
            F: for<'x> Fn(&'x T, $(policies!(@ $How 'x $P)),*) -> bool,
            A: Agent $(+ $Provider<$P>)*,
        {
            fn decide<'s>(self, arguments: &'s T, scope: &'s InjectScope<'_, A>) -> PolicyDecision<'s> {
                let _ = scope;
                PolicyDecision::Now(self(arguments, $(<A as $Provider<$P>>::$inject(scope)),*))
            }
        }

        /// An async function, whose future has no name elsewhere.
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = "this is no async policy", label = "returns no future of a `bool`")]
        pub trait $Deciding<'x, T: 'x, $($P: 'static),*>:
            Fn(&'x T, $(policies!(@ $How 'x $P)),*) -> Self::Deciding
        {
            type Deciding: Future<Output = bool> + Send + 'x;
        }

        #[diagnostic::do_not_recommend]
        impl<'x, T: 'x, F, D, $($P: 'static),*> $Deciding<'x, T, $($P),*> for F
        where
            F: Fn(&'x T, $(policies!(@ $How 'x $P)),*) -> D,
            D: Future<Output = bool> + Send + 'x,
        {
            type Deciding = D;
        }

        #[diagnostic::do_not_recommend]
        impl<A, T: 'static, F, $($P: 'static),*> ApprovalPolicy<A, T, shape::Later<($(shape::$How<$P>,)*)>> for F
        where
            F: for<'x> $Deciding<'x, T, $($P),*>,
            A: Agent $(+ $Provider<$P>)*,
        {
            fn decide<'s>(self, arguments: &'s T, scope: &'s InjectScope<'_, A>) -> PolicyDecision<'s> {
                let _ = scope;
                PolicyDecision::Later(Box::pin(self(arguments, $(<A as $Provider<$P>>::$inject(scope)),*)))
            }
        }
    )+};
    (@ Plain $x:lifetime $P:ident) => { &$x $P };
    (@ Optional $x:lifetime $P:ident) => { Option<&$x $P> };
}

policies! {
    Deciding: ;
    Deciding1: P Plain InjectValue inject;
    DecidingO: P Optional InjectOption inject_option;
    Deciding11: P Plain InjectValue inject, Q Plain InjectValue inject;
    Deciding1O: P Plain InjectValue inject, Q Optional InjectOption inject_option;
    DecidingO1: P Optional InjectOption inject_option, Q Plain InjectValue inject;
    DecidingOO: P Optional InjectOption inject_option, Q Optional InjectOption inject_option;
    Deciding111: P Plain InjectValue inject, Q Plain InjectValue inject, R Plain InjectValue inject;
    Deciding11O: P Plain InjectValue inject, Q Plain InjectValue inject, R Optional InjectOption inject_option;
    Deciding1O1: P Plain InjectValue inject, Q Optional InjectOption inject_option, R Plain InjectValue inject;
    Deciding1OO: P Plain InjectValue inject, Q Optional InjectOption inject_option, R Optional InjectOption inject_option;
    DecidingO11: P Optional InjectOption inject_option, Q Plain InjectValue inject, R Plain InjectValue inject;
    DecidingO1O: P Optional InjectOption inject_option, Q Plain InjectValue inject, R Optional InjectOption inject_option;
    DecidingOO1: P Optional InjectOption inject_option, Q Optional InjectOption inject_option, R Plain InjectValue inject;
    DecidingOOO: P Optional InjectOption inject_option, Q Optional InjectOption inject_option, R Optional InjectOption inject_option;
    Deciding1111: P Plain InjectValue inject, Q Plain InjectValue inject, R Plain InjectValue inject, S Plain InjectValue inject;
    Deciding11111: P Plain InjectValue inject, Q Plain InjectValue inject, R Plain InjectValue inject, S Plain InjectValue inject, U Plain InjectValue inject;
    Deciding111111: P Plain InjectValue inject, Q Plain InjectValue inject, R Plain InjectValue inject, S Plain InjectValue inject, U Plain InjectValue inject, V Plain InjectValue inject;
}
