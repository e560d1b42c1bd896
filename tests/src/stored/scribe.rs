//! An agent that does what its user wrote, and a record of its effects.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::interrupts::InterruptOf;
use agui_runtime::manifest::AgentSource;
use agui_runtime::protocol::Message;
use agui_runtime::tools::{InjectScope, InjectValue, ToolOf};
use agui_runtime::{Agent, FinishedRun, Input, Interrupt, Run, State, Stop, Tool as _, ToolCtx, tool};
use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::ledger::{Answered, Ledger};

/// The process in which an agent runs, which may stand still or end.
pub trait Host: Send + Sync + 'static {
    /// Resolves while the process runs.
    fn runs(&self) -> BoxFuture<'_, ()>;
}

/// A process that always runs.
#[derive(Debug)]
pub struct Steady;

impl Host for Steady {
    fn runs(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// The state of the conversation.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Tally {
    count: u32,
}

/// Asks before a letter is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_send", message = "Send it?", response = bool)]
pub struct ConfirmSend {
    text: String,
}

/// Sends a letter: the effect that must happen once.
#[tool]
async fn send(call: &ToolCtx, pen: &Pen, pause: u64) -> String {
    sleep(Duration::from_millis(pause)).await;
    pen.host.runs().await;
    pen.ledger.record(call, pen.is_certain)
}

/// The path of the agent whose lost runs end, and of the one whose lost runs go on.
pub const ENDS: &str = "/";
pub const GOES_ON: &str = "/again";

/// The things that an agent has from its process, and those that outlive it.
pub struct Pen {
    ledger: Arc<Ledger>,
    host: Arc<dyn Host>,
    is_certain: bool,
}

/// The agent; with `RESTARTS` another server may run it again. It is written without `#[agent]`, which would put it into the
/// manifest of every test.
///
/// Each word of the last message is one thing to do: `t3` says a text of three deltas, `w500` waits in the middle of a
/// text, `c20` calls the tool, which takes that many milliseconds, `p9` has a step in which a subagent has a step of the same
/// name, `s` changes the state, `q` asks, `x` fails.
pub struct Scribe<const RESTARTS: bool> {
    pen: Pen,
    helper: Arc<Helper>,
    /// The number of runs that go on.
    pub running: Arc<AtomicUsize>,
}

impl<const RESTARTS: bool> Scribe<RESTARTS> {
    /// Creates an agent of a process.
    pub fn new(ledger: Arc<Ledger>, host: Arc<dyn Host>) -> Self {
        let helper = Arc::new(Helper(Arc::clone(&host)));
        Self { pen: Pen { ledger, host, is_certain: RESTARTS }, helper, running: Arc::default() }
    }

    async fn act(&self, run: &mut Run<Self>, input: &Input<Self>) -> Result<u32, Stop> {
        let tally = run.state().adopt_or_snapshot(input).await?;
        let Pen { host, ledger, .. } = &self.pen;
        host.runs().await;
        // The calls that a lost server of this run has made.
        for id in input.pending_calls::<send>() {
            run.resume_call::<send>(input, &id)?.run().await;
        }
        let mut made = made_by(input) + input.pending_calls::<send>().len();
        if let Some(asked) = input.resumed::<ConfirmSend>()? {
            ledger.record_answer(Answered {
                thread: input.thread_id.to_string(),
                question: asked.interrupt_id.to_string(),
                run: input.run_id.to_string(),
                approves: asked.response,
            });
            if asked.response == Some(true) && made == 0 {
                run.call(send { pause: 10 }).await?.run().await;
            }
            run.say("Done.").await;
        }
        let said = said_in(input);
        for word in said.split_whitespace() {
            host.runs().await;
            let (what, number) = word.split_at(1);
            let number: u64 = number.parse().unwrap_or_default();
            match what {
                "t" => {
                    let mut text = run.message().await;
                    for delta in 0..number {
                        text.push(format!("{delta} ")).await;
                        sleep(Duration::from_millis(7)).await;
                        host.runs().await;
                    }
                    text.end();
                }
                "w" => {
                    let mut text = run.message().await;
                    text.push("Wait: ").await;
                    sleep(Duration::from_millis(number)).await;
                    host.runs().await;
                    text.push("over.").await;
                    text.end();
                }
                "c" if made > 0 => made -= 1,
                "c" => drop(run.call(send { pause: number }).await?.run().await),
                "p" => {
                    let step = run.step("work").await;
                    let task =
                        vec![agui_runtime::protocol::UserMessage::new("task", number.to_string()).into()];
                    run.delegate("helper", &self.helper, task).await?;
                    step.finish();
                }
                "s" => drop(tally.update(|tally| tally.count += 1).await?),
                "q" => return Err(run.ask(ConfirmSend { text: said.clone() })),
                "x" => return Err(Stop::error("no ink")),
                _ => {}
            }
        }
        tally.read(|tally| tally.count).map_err(Into::into)
    }
}

/// Returns the text of the user that the run is about. A run that goes on has more messages after it.
fn said_in<A: Agent>(input: &Input<A>) -> String {
    let said = input.messages.iter().rev().find_map(|message| match message {
        Message::User(user) => Some(user.content.text().into_owned()),
        _ => None,
    });
    said.filter(|_| input.resume().is_empty()).unwrap_or_default()
}

/// Returns the number of calls of this run that have their results: each names its run.
fn made_by<A: Agent>(input: &Input<A>) -> usize {
    let is_of_run = |message: &&Message| match message {
        Message::Tool(result) => {
            result.content.text().split_once(' ').is_some_and(|(run, _)| run == input.run_id.as_str())
        }
        _ => false,
    };
    input.messages.iter().filter(is_of_run).count()
}

/// Works, in a step of its own.
struct Helper(Arc<dyn Host>);

impl Agent for Helper {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let pause = said_in(&input).parse().unwrap_or_default();
        let step = run.step("work").await;
        sleep(Duration::from_millis(pause)).await;
        self.0.runs().await;
        run.say("Worked.").await;
        step.finish();
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource { rust_path: std::any::type_name::<Self>(), ..AgentSource::new("helper") }
    }
}

/// Counts a run while it goes on.
struct Going<'s>(&'s AtomicUsize);

impl Drop for Going<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl<const RESTARTS: bool> Agent for Scribe<RESTARTS> {
    type State = Tally;
    type Request = ();
    type Output = u32;

    const RESTARTS: bool = RESTARTS;

    async fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> Result<FinishedRun<'r, u32>, Stop> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let going = Going(&self.running);
        let count = self.act(run, &input).await?;
        drop(going);
        Ok(run.finish(count))
    }

    fn source() -> AgentSource {
        let tools = vec![send::source()];
        AgentSource { rust_path: std::any::type_name::<Self>(), tools, ..AgentSource::new("scribe") }
    }
}

impl<const RESTARTS: bool> InjectValue<Pen> for Scribe<RESTARTS> {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a Pen {
        &scope.agent().pen
    }
}

impl<const RESTARTS: bool> ToolOf<Scribe<RESTARTS>> for send {}
impl<const RESTARTS: bool> InterruptOf<Scribe<RESTARTS>> for ConfirmSend {}
