//! The routes for CopilotKit's pages, beside the agent's own route and beside CopilotKit's runtime in Node.

use std::time::Duration;

use agui_programs::{installed, tests_dir};
use futures::future::try_join_all;
use serde_json::json;
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use crate::client::{self, Answer, Asked};
use crate::contenders::{Contender, Databases, STORES, unique};
use crate::latency::millis;
use crate::load::Load;
use crate::process::{Fault, ServerProcess};
use crate::report::{Report, median};

/// The path for CopilotKit's pages, in our servers and in the runtime.
pub const BASE: &str = "/api/copilotkit";

/// The agent behind it. The agent at `/` is `default`.
const RUN: &str = "/api/copilotkit/agent/default/run";

/// The milliseconds by which the route may delay the first token.
const LATER: f64 = 1.0;

const STREAMS: u64 = 64;

/// The time in which an idle runtime collects its garbage.
const SETTLED: Duration = Duration::from_secs(5);

pub async fn measure(report: &mut Report, databases: &Databases, quick: bool) -> Result<(), Fault> {
    beside_the_agent(report, databases, if quick { 20 } else { 300 }).await?;
    let agent = ServerProcess::ours("none", "").await?;
    let ours = ServerProcess::ours("none", "").await?;
    open_streams(report, &ours, agent.port, if quick { 50 } else { 400 }).await?;
    // The streams above are still open in the servers that they were opened in.
    let agent = ServerProcess::ours("none", "").await?;
    let ours = ServerProcess::ours("none", "").await?;
    let node = ServerProcess::start(runtime(agent.port)?).await?;
    first_token(report, &ours, &node, if quick { 20 } else { 300 }).await?;
    let seconds = if quick { 1 } else { 5 };
    let loads = [
        ("a token each 50 ms", Load::new(seconds * 20, 1, 50)),
        ("as fast as the client reads", Load::new(seconds * 200, 64, 0)),
    ];
    for (name, load) in loads {
        cost(report, name, load, &ours, &node, if quick { 1 } else { 3 }).await?;
    }
    Ok(())
}

/// The command for CopilotKit's runtime in front of an agent of ours.
fn runtime(agent: u16) -> Result<Command, Fault> {
    let here = tests_dir().join("node");
    let packages = installed("copilotkit", &here.join("copilotkit"), &["--legacy-peer-deps"]);
    let (node, packages) = packages.map_err(|missing| missing.to_string())?;
    let job = json!({ "agents": { "default": { "url": format!("http://127.0.0.1:{agent}/") } } });
    let mut command = Command::new(node);
    command.arg("--import").arg(here.join("packages.mjs")).arg(here.join("copilotkit/serve.mjs"));
    command.arg(job.to_string()).env("AGUI_NODE_PACKAGES", packages).env("NODE_ENV", "production");
    Ok(command)
}

fn asked(load: Load) -> Asked {
    Asked { thread: unique(), run: unique(), load }
}

/// Returns the milliseconds to the first token of a new run.
async fn first(server: &ServerProcess, path: &str) -> Result<f64, Fault> {
    let asked = asked(Load::new(3, 1, 1));
    let begun = Instant::now();
    let mut answer = client::run_at(server.port, path, &asked).await?;
    let first = answer.first_token().await?;
    answer.to_end(3).await?;
    Ok(millis(begun, first))
}

/// The first token through the route, and at the agent's own, in the same server.
async fn beside_the_agent(report: &mut Report, databases: &Databases, rounds: u32) -> Result<(), Fault> {
    report.section(
        "Time to the first token through the route for CopilotKit's pages, beside the agent's route",
    );
    for store in STORES {
        let contender = Contender::start(store, databases).await?;
        let (mut agent, mut route) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            agent.push(first(&contender.server, "/").await?);
            route.push(first(&contender.server, RUN).await?);
        }
        let (agent, route) = (median(agent), median(route));
        report.figure(store, &format!("{route:>8.2} ms, at the agent's route {agent:.2}"));
        report.goal(&format!("{store}: later"), route - agent, LATER, "ms");
    }
    Ok(())
}

async fn first_token(
    report: &mut Report,
    ours: &ServerProcess,
    node: &ServerProcess,
    rounds: u32,
) -> Result<(), Fault> {
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        here.push(first(ours, RUN).await?);
        there.push(first(node, RUN).await?);
    }
    beside(report, "Time to the first token", median(here), median(there), "ms");
    Ok(())
}

/// The processor time of an event. The agent's server behind the runtime does not count.
async fn cost(
    report: &mut Report,
    name: &str,
    load: Load,
    ours: &ServerProcess,
    node: &ServerProcess,
    rounds: u32,
) -> Result<(), Fault> {
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        here.push(event_cost(ours, load).await?);
        there.push(event_cost(node, load).await?);
    }
    let title = format!("Processor time of an event, {STREAMS} streams, {name}");
    beside(report, &title, median(here), median(there), "us");
    Ok(())
}

/// Returns the microseconds of an event in the server.
async fn event_cost(server: &ServerProcess, load: Load) -> Result<f64, Fault> {
    let before = server.processor_time();
    let clients = (0..STREAMS).map(|number| async move {
        sleep(Duration::from_millis(load.every * number / STREAMS)).await;
        client::run_at(server.port, RUN, &asked(load)).await?.to_end(load.tokens).await
    });
    let events: u64 = try_join_all(clients).await?.iter().sum();
    // The work of the server after the end of a run counts too.
    sleep(Duration::from_millis(200)).await;
    Ok((server.processor_time() - before).as_secs_f64() * 1e6 / events as f64)
}

/// The memory of open streams which have said one token.
async fn open_streams(
    report: &mut Report,
    ours: &ServerProcess,
    agent: u16,
    streams: u32,
) -> Result<(), Fault> {
    let node = &ServerProcess::start(runtime(agent)?).await?;
    let here = stream_memory(ours, streams).await?;
    let there = stream_memory(node, streams).await?;
    let title = format!("Anonymous memory of an open stream, among {streams}");
    beside(report, &title, here, there, "KiB");
    let mebibytes = |server: &ServerProcess| server.anonymous_bytes() as f64 / f64::from(1 << 20);
    beside(report, "Anonymous memory of the server with them", mebibytes(ours), mebibytes(node), "MiB");
    Ok(())
}

/// Returns the KiB of a stream.
async fn stream_memory(server: &ServerProcess, streams: u32) -> Result<f64, Fault> {
    for _ in 0..streams {
        first(server, RUN).await?;
    }
    sleep(SETTLED).await;
    let before = server.anonymous_bytes();
    let mut opened: Vec<Answer> = Vec::new();
    for _ in 0..streams {
        let asked = asked(Load { hold: 3_600_000, ..Load::new(1, 1, 0) });
        let mut answer = client::run_at(server.port, RUN, &asked).await?;
        answer.tokens(1).await?;
        opened.push(answer);
    }
    sleep(SETTLED).await;
    let after = server.anonymous_bytes();
    Ok((after as f64 - before as f64) / 1024.0 / f64::from(streams))
}

fn beside(report: &mut Report, title: &str, ours: f64, runtime: f64, unit: &str) {
    report.section(title);
    report.figure("our server", &format!("{ours:>8.2} {unit}"));
    report.figure("CopilotKit's runtime", &format!("{runtime:>8.2} {unit}"));
    report.goal(&format!("{title}: ours / runtime"), ours / runtime, 1.0, "x");
}
