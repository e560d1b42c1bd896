#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::manifest::AgentSource;
use agui_runtime::FinishedRun;

struct Cook;

impl Agent for Cook {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let call = run.open_call("price");
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        todo!()
    }
}

fn main() {}
