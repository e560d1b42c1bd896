//! An agent that does what its user wrote, and a record of its effects.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::interrupts::InterruptOf;
use agui_runtime::manifest::AgentSource;
use agui_runtime::tools::ToolOf;
use agui_runtime::{Agent, Finished, Input, Interrupt, Run, State, Stop, ToolCtx, tool};
use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

/// The effects of all servers, which outlive each of them.
#[derive(Debug, Default)]
pub struct Ledger {
    /// How often a tool ran, by the key of its call.
    pub effects: Mutex<HashMap<String, u32>>,
    /// The questions whose answers an agent acted upon, in order.
    pub answered: Mutex<Vec<String>>,
}

impl Ledger {
    /// Fails if a tool ran twice under one key, or an agent acted twice upon one answer.
    pub fn judge(&self) {
        for (key, count) in &*self.effects.lock().unwrap() {
            assert_eq!(*count, 1, "a tool ran {count} times under the key {key}");
        }
        let answered = self.answered.lock().unwrap();
        let mut once = answered.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), answered.len(), "a question was answered twice: {answered:?}");
    }
}

/// The process in which an agent runs, which may stand still or end.
pub trait Host: Send + Sync + 'static {
    /// Resolves while the process runs.
    fn runs(&self) -> BoxFuture<'_, ()>;

    /// Keeps an effect outside of the process.
    fn effect(&self, ledger: &Ledger, key: String) {
        *ledger.effects.lock().unwrap().entry(key).or_default() += 1;
    }
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
async fn send(call: &ToolCtx, scribe: &Scribe, pause: u64) -> String {
    sleep(Duration::from_millis(pause)).await;
    scribe.host.runs().await;
    let key = call.idempotency_key();
    scribe.host.effect(&scribe.ledger, key.clone());
    key
}

/// The agent. It is written without `#[agent]`, which would put it into the manifest of every test.
///
/// Each word of the last message is one thing to do: `t3` says a text of three deltas, `w500` waits in the middle of a
/// text, `c20` calls the tool, which takes that many milliseconds, `s` changes the state, `q` asks, `x` fails.
pub struct Scribe {
    pub ledger: Arc<Ledger>,
    pub host: Arc<dyn Host>,
    /// The number of runs that go on.
    pub running: Arc<AtomicUsize>,
}

impl Scribe {
    /// Creates an agent of a process.
    pub fn new(ledger: Arc<Ledger>, host: Arc<dyn Host>) -> Self {
        Self { ledger, host, running: Arc::default() }
    }

    async fn act(&self, run: &mut Run<Self>, input: &Input<Self>) -> Result<u32, Stop> {
        let tally = run.state().adopt_or_snapshot(input).await?;
        self.host.runs().await;
        if let Some(asked) = input.resumed::<ConfirmSend>()? {
            self.ledger.answered.lock().unwrap().push(asked.interrupt_id.to_string());
            if asked.response == Some(true) {
                run.call(send { pause: 10 }).await?.run().await;
            }
            run.say("Done.").await;
        }
        let said = input.user_text().filter(|_| input.resume().is_empty()).unwrap_or_default();
        for word in said.split_whitespace() {
            self.host.runs().await;
            let (what, number) = word.split_at(1);
            let number: u64 = number.parse().unwrap_or_default();
            match what {
                "t" => {
                    let mut text = run.message().await;
                    for delta in 0..number {
                        text.push(format!("{delta} ")).await;
                        sleep(Duration::from_millis(7)).await;
                        self.host.runs().await;
                    }
                    text.end();
                }
                "w" => {
                    let mut text = run.message().await;
                    text.push("Wait: ").await;
                    sleep(Duration::from_millis(number)).await;
                    self.host.runs().await;
                    text.push("over.").await;
                    text.end();
                }
                "c" => drop(run.call(send { pause: number }).await?.run().await),
                "s" => drop(tally.update(|tally| tally.count += 1).await?),
                "q" => return Err(run.ask(ConfirmSend { text: said.clone() })),
                "x" => return Err(Stop::error("no ink")),
                _ => {}
            }
        }
        tally.read(|tally| tally.count).map_err(Into::into)
    }
}

/// Counts a run while it goes on.
struct Going<'s>(&'s AtomicUsize);

impl Drop for Going<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Agent for Scribe {
    type State = Tally;
    type Request = ();
    type Output = u32;

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<Finished<'r, u32>, Stop> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let going = Going(&self.running);
        let count = self.act(run, &input).await?;
        drop(going);
        Ok(run.finish(count))
    }

    fn source() -> AgentSource {
        AgentSource { rust_path: std::any::type_name::<Self>(), ..AgentSource::new("scribe") }
    }
}

impl ToolOf<Scribe> for send {}
impl InterruptOf<Scribe> for ConfirmSend {}
