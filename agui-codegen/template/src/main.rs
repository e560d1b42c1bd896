//! Serves the agent at `http://127.0.0.1:8000/`, or at `AGUI_ADDR`. //+root
//! Serves the agent at `http://127.0.0.1:8000/assistant`, or at `AGUI_ADDR`, and CopilotKit's page. //+copilotkit

mod agent;
mod script;

use agui_runtime::Server;
use agui_runtime::model::Model;
use agui_runtime::thread::Sqlite; //+threads

use crate::agent::Assistant;

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    // `AGUI_MODEL=openai:gpt-5-mini` with `OPENAI_API_KEY` asks a model; without it, the script answers.
    let model = Model::from_env_or(script::model())?;
    let server = Server::new().agent("/", Assistant::new(model)); //+root
    // CopilotKit's page names the agent by this path. //+copilotkit
    let server = Server::new().agent("/assistant", Assistant::new(model)); //+copilotkit
    let server = server.copilotkit("/api/copilotkit"); // the page needs no other server //+copilotkit
    let server = server.threads(Sqlite::open("threads.db")?); // conversations survive a restart //+threads
    server.serve().await
}
