//! An agent for a page that is loaded again: it tells a story in two halves, and publishes what the user approves. A second agent
//! lets the page paint itself.
//!
//! Arguments: a folder for its files, and its port, or 0. `threads.db` in the folder stores the threads, `published` has a
//! line for each publication, and the second half of a story waits until the file `more` exists. The header `x-name` says who
//! asks, for a list of threads.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::model::{Model, Prompt, PromptMessage, Reply, ScriptedModel, ToolChoice};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Content;
use agui_runtime::thread::Sqlite;
use agui_tests::identified::identified;
use serde_json::json;
use tokio::net::TcpListener;

struct Desk(PathBuf);

/// Publishes a page for everyone.
#[tool(approval)]
async fn publish(desk: &Desk, title: String) -> Result<String, std::io::Error> {
    let mut published = OpenOptions::new().create(true).append(true).open(desk.0.join("published"))?;
    writeln!(published, "{title}")?;
    Ok(format!("published {title}"))
}

/// Paints the page.
#[tool(frontend)]
async fn paint(colour: String) -> String;

/// Paints the page by the page's own tool.
#[agent(tools = [paint])]
async fn painter(run: &mut Run<Painter>, _: Input<Painter>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

/// Tells stories and publishes pages.
#[agent(tools = [publish])]
async fn editor(run: &mut Run<Editor>, input: Input<Editor>, model: &Model, desk: &Desk) -> Result<(), Stop> {
    if input.user_text().is_some_and(|text| text.starts_with("Tell")) {
        tell(run, &desk.0.join("more")).await;
        return Ok(());
    }
    run.chat(model).await
}

async fn tell(run: &mut Run<Editor>, more: &Path) {
    let mut text = run.message().await;
    for word in 1..=40 {
        while word > 20 && !more.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        text.push(format!("w{word} ")).await;
    }
    text.push("end.").await;
    text.end();
}

/// The last word of the user is the title, or the colour.
fn reply(prompt: &Prompt) -> Reply {
    if let ToolChoice::Tool(tool) = &prompt.tool_choice {
        let suggestion = json!({ "title": "Another story", "message": "Tell me another story" });
        return Reply::call(tool.as_str(), json!({ "suggestions": [suggestion] }));
    }
    if let [answer, ..] = prompt.last_results() {
        return Reply::text(format!("The press says: {}", answer.content.text()));
    }
    let said = prompt.messages.iter().rev().find_map(|message| match message {
        PromptMessage::User(parts) => Some(Content::Parts(parts.clone()).text().into_owned()),
        _ => None,
    });
    let said = said.unwrap_or_default();
    let last = said.split_whitespace().last().unwrap_or_default().to_owned();
    if said.starts_with("Paint") {
        return Reply::call("paint", paint { colour: last });
    }
    Reply::call("publish", publish { title: last })
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder is the first argument"));
    let port: u16 =
        arguments.next().and_then(|port| port.parse().ok()).expect("a port is the second argument");
    let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    println!("http://{}", listener.local_addr().expect("a bound listener has an address"));
    let threads = Sqlite::open(folder.join("threads.db"))?;
    let model = Model::from(ScriptedModel::from_fn(reply));
    let server = Server::new().threads(threads).copilotkit("/api/copilotkit");
    let server = server.agent("/painter", Painter::new(model.clone()));
    let server = server.agent("/editor", Editor::new(model, Desk(folder)));
    identified(server).serve_on(listener, std::future::pending()).await
}
