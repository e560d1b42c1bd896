//! The tools, and the delegated agents.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use agui_runtime::events::{CallRef, MessageRef, ReasoningRef};
use agui_runtime::manifest::AgentSource;
use agui_runtime::protocol::{Interrupt, UserMessage};
use agui_runtime::tools::ToolOf;
use agui_runtime::{Agent, FinishedRun, Input, Run, Stop, tool};

use super::program::Child;

/// Looks something up.
#[tool]
pub(crate) async fn look_up(what: String) -> u32 {
    u32::try_from(what.len()).unwrap_or(u32::MAX)
}

/// Asks the person.
#[tool(frontend)]
pub(crate) async fn confirm(total: u32) -> bool;

/// An agent that panics with a message open.
pub(crate) struct Panicking;

/// A receipt in the hands of a program.
#[derive(Clone)]
pub(crate) enum Receipt {
    Message(MessageRef),
    Thought(ReasoningRef),
    Call(CallRef),
}

impl Receipt {
    pub(crate) fn message(&self) -> Option<&MessageRef> {
        match self {
            Self::Message(message) => Some(message),
            Self::Thought(_) | Self::Call(_) => None,
        }
    }
}

/// Performs the operation of its name.
pub(crate) struct Helper {
    child: Child,
    /// The receipt of a message that another agent may have sent.
    given: Option<MessageRef>,
    handed: Mutex<Option<Receipt>>,
}

impl Helper {
    pub(crate) fn new(child: Child) -> Arc<Self> {
        Self::given(child, None)
    }

    pub(crate) fn given(child: Child, given: Option<MessageRef>) -> Arc<Self> {
        Arc::new(Self { child, given, handed: Mutex::new(None) })
    }

    /// The receipt that it left for the delegating agent.
    pub(crate) fn handed(&self) -> Option<Receipt> {
        self.handed.lock().unwrap().take()
    }

    fn hand(&self, receipt: Receipt) {
        *self.handed.lock().unwrap() = Some(receipt);
    }
}

impl ToolOf<Helper> for look_up {}
impl ToolOf<Helper> for confirm {}

pub(crate) fn what() -> look_up {
    look_up { what: "it".to_owned() }
}

impl Helper {
    async fn act(&self, run: &Run<Self>) -> Result<(), Stop> {
        match self.child {
            Child::Says => drop(run.say("child").await),
            Child::Leaks => {
                let _step = run.step("s").await;
                std::mem::forget(run.message().await);
            }
            Child::Awaits => return Err(Stop::await_frontend(run.call(confirm { total: 1 }).await?)),
            Child::CutsOff => {
                let mut call = run.tool::<confirm>().await;
                call.push("{").await;
            }
            Child::Fails => {
                let _thoughts = run.reasoning().await;
                return Err(Stop::error("no rice"));
            }
            Child::Asks => {
                return Err(run.call(what()).await?.interrupt(Interrupt::new("child", "tool_call")));
            }
            Child::Cancelled => return Err(Stop::cancelled()),
            Child::Nests => {
                let think = run.reasoning().await;
                let _thought = think.message().await;
                let leaking: Pin<Box<dyn Future<Output = _> + Send>> =
                    Box::pin(run.delegate("leaking", Helper::new(Child::Leaks), []));
                leaking.await?;
            }
            Child::UsesReceipt => {
                if let Some(message) = &self.given {
                    run.encrypted(message, "secret").await;
                    let _call = run.call(what()).parent(message).await?;
                }
            }
            Child::Restates => {}
            Child::HandsMessage => self.hand(Receipt::Message(run.say("child").await)),
            Child::HandsThought => self.hand(Receipt::Thought(run.think("thought").await)),
            Child::HandsCall => {
                let call = run.call(confirm { total: 1 }).await?;
                self.hand(Receipt::Call(call.receipt()));
                return Err(Stop::await_frontend(call));
            }
        }
        Ok(())
    }
}

impl Agent for Helper {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        self.act(run).await?;
        if self.child == Child::Restates {
            run.messages_snapshot([UserMessage::new("user", "Hi").into()]).await;
        }
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        source("helper")
    }
}

impl Agent for Panicking {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let _text = run.message().await;
        panic()
    }

    fn source() -> AgentSource {
        source("panicking")
    }
}

/// Panics without output: the hook is not called.
pub(crate) fn panic() -> ! {
    std::panic::resume_unwind(Box::new("on purpose"))
}

pub(crate) fn source(name: &'static str) -> AgentSource {
    AgentSource {
        description: "Runs a program",
        version: "0.0.0",
        rust_path: "programs",
        ..AgentSource::new(name)
    }
}
