//! An agent that follows a list: it forwards events and sends its own in between.

use std::sync::{Arc, Mutex};

use agui_runtime::events::DynamicError;
use agui_runtime::manifest::AgentSource;
use agui_runtime::order::{OrderError, OrderVerifier};
use agui_runtime::protocol::{Event, RunAgentInput, Tool};
use agui_runtime::{
    Agent, Dynamic, FinishedRun, Ids, Input, Policy, Run, RunOptions, Step, Stop, TextMessage, start,
};
use futures::StreamExt;
use futures::executor::block_on;

/// One action.
#[derive(Clone, Debug)]
pub(crate) enum Play {
    Feed(Event),
    /// A typed message opens; its texts name it.
    Open,
    Push,
    Close,
    Step,
    /// The forwarding ends, and another one begins.
    Again,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    policy: Policy,
    pass_chunks: bool,
    plays: Vec<Play>,
    pub(crate) input: RunAgentInput,
    fails: bool,
    /// The number of events that are read before the client leaves.
    read: usize,
}

#[derive(Debug)]
pub(crate) struct Played {
    /// All events, also those that the client did not read.
    pub(crate) events: Vec<Event>,
    pub(crate) refused: Vec<DynamicError>,
}

pub(crate) const TYPED: &str = "typed";

impl Program {
    pub(crate) fn new(policy: Policy) -> Self {
        let confirm = Tool::new("confirm", "asks");
        let input = RunAgentInput::new("thread", "run", vec![])
            .with_protocol_version("1.0")
            .with_tools(vec![confirm]);
        Self { policy, pass_chunks: false, plays: vec![], input, fails: false, read: usize::MAX }
    }

    pub(crate) fn then(mut self, plays: impl IntoIterator<Item = Play>) -> Self {
        self.plays.extend(plays);
        self
    }

    pub(crate) fn passing_chunks(mut self) -> Self {
        self.pass_chunks = true;
        self
    }

    pub(crate) fn failing(mut self, fails: bool) -> Self {
        self.fails = fails;
        self
    }

    pub(crate) fn read(mut self, events: usize) -> Self {
        self.read = events;
        self
    }

    pub(crate) fn play(self) -> Played {
        let events = Arc::new(Mutex::new(Vec::new()));
        let refused = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&events);
        let options = RunOptions::default()
            .ids(Ids::fixed("test"))
            .recorder(move |event: &Event| told.lock().unwrap().push(event.clone()));
        let (input, read) = (self.input.clone(), self.read);
        let player = Player { program: self, refused: Arc::clone(&refused) };
        let stream = start(Arc::new(player), input, options);
        drop(block_on(stream.take(read).collect::<Vec<_>>()));
        let events = std::mem::take(&mut *events.lock().unwrap());
        let refused = std::mem::take(&mut *refused.lock().unwrap());
        Played { events, refused }
    }
}

impl Played {
    pub(crate) fn judge(&self, input: &RunAgentInput) -> Result<(), OrderError> {
        OrderVerifier::producer().for_input(input).check_all(&self.events)
    }
}

struct Player {
    program: Program,
    refused: Arc<Mutex<Vec<DynamicError>>>,
}

impl Agent for Player {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let program = &self.program;
        {
            let run = &*run;
            let begin = || -> Dynamic<'_> {
                let foreign = run.dynamic(program.policy);
                if program.pass_chunks { foreign.pass_chunks() } else { foreign }
            };
            let mut foreign = begin();
            let mut typed: Vec<TextMessage<'_>> = vec![];
            let mut steps: Vec<Step<'_>> = vec![];
            for play in &program.plays {
                match play {
                    Play::Feed(event) => {
                        if let Err(error) = foreign.feed(event.clone()).await {
                            self.refused.lock().unwrap().push(error);
                        }
                    }
                    Play::Open => typed.push(run.message().name(TYPED).await),
                    Play::Push => {
                        if let Some(text) = typed.last_mut() {
                            text.push(TYPED).await;
                        }
                    }
                    Play::Close => drop(typed.pop()),
                    Play::Step => match steps.pop() {
                        Some(step) => step.finish(),
                        None => steps.push(run.step("p0").await),
                    },
                    Play::Again => {
                        foreign.end();
                        foreign = begin();
                    }
                }
            }
        }
        if program.fails {
            return Err(Stop::error("enough"));
        }
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Does what a list says",
            version: "0.0.0",
            rust_path: std::any::type_name::<Self>(),
            ..AgentSource::new("player")
        }
    }
}
