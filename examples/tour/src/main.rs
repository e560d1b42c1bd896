//! Every feature of AG-UI 1.0 from one server: `cargo run -p tour`, then open the address that it prints, or POST an
//! input to any of these paths.
//!
//! The page at `/` is the inspector: it has a button for each agent, and shows the events, the state and the conversation.
//! Each agent has a file of its own, which shows how to write that part. `TOUR_PACE` scales every pause:
//! `TOUR_PACE=0.05 cargo run -p tour`. The agents with MCP servers need the feature `mcp`: `cargo run -p tour --features mcp`.

mod demo;
mod features;
mod lab;
mod pace;
mod past;

#[cfg(feature = "mcp")]
use agui_runtime::RunOptions;
use agui_runtime::{Limits, Server};

use crate::pace::Pace;

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    let pace = Pace::from_env();
    let watch = lab::slow::Watch::default();
    let inspected = agents(pace, &watch).router()?;
    agents(pace, &watch)
        .routes(agui_inspector::routes(features::inspected(&inspected)))
        .routes(lab::slow::status(watch))
        .serve()
        .await
}

/// The agents, on a server for every page.
fn agents(pace: Pace, watch: &lab::slow::Watch) -> Server {
    let server = Server::new()
        // Debug builds answer as release builds do: tests compare the answers.
        .reveal_errors(false)
        // Its clients look for the ids of the lab's interrupts. An answer there is repeated, and has no other effect.
        .unsigned_interrupts(true)
        .agent("/", demo::hello::Hello::new())
        .agent("/a2ui_advanced", demo::a2ui::a2ui_advanced::A2uiAdvanced::new(pace))
        .agent("/a2ui_dynamic_schema", demo::a2ui::a2ui_dynamic_schema::A2uiDynamicSchema::new())
        .agent("/a2ui_fixed_schema", demo::a2ui::a2ui_fixed_schema::A2uiFixedSchema::new())
        .agent("/a2ui_recovery", demo::a2ui::a2ui_recovery::A2uiRecovery::new(pace))
        .agent("/agentic_chat", demo::agentic_chat::AgenticChat::new(pace))
        .agent("/agentic_chat_multimodal", demo::agentic_chat_multimodal::scripted())
        .agent("/agentic_chat_reasoning", demo::agentic_chat_reasoning::scripted())
        .agent("/agentic_generative_ui", demo::agentic_generative_ui::AgenticGenerativeUi::new(pace))
        .agent("/background_agents", demo::background_agents::BackgroundAgents::new(pace))
        .agent("/backend_tool_rendering", demo::backend_tool_rendering::BackendToolRendering::new())
        .agent("/error_flow", demo::error_flow::ErrorFlow::new())
        .agent("/human_in_the_loop", demo::human_in_the_loop::HumanInTheLoop::new(pace))
        .agent("/interrupt", demo::interrupt::Scheduler::new())
        .agent("/predictive_state_updates", demo::predictive_state_updates::PredictiveStateUpdates::new(pace))
        .agent("/shared_state", demo::shared_state::SharedState::new())
        .agent("/subgraphs", demo::subgraphs::team())
        .agent("/tool_based_generative_ui", demo::tool_based_generative_ui::ToolBasedGenerativeUi::new())
        .agent("/lab/a2ui", lab::a2ui::HotelGuide::new())
        .agent("/lab/activity", lab::activity::PlanMaker::new())
        .agent("/lab/backend_tool", lab::backend_tool::BackendTool::new())
        .agent("/lab/cancelled", lab::cancelled::Cancelled::new())
        .agent("/lab/custom_raw", lab::custom_raw::CustomRaw::new())
        .agent("/lab/echo_input", lab::echo_input::EchoInput::new())
        .agent("/lab/error", lab::error::Failure::new())
        .agent("/lab/interrupt", lab::interrupt::Interrupted::new())
        .agent("/lab/interrupts_two", lab::interrupts_two::InterruptsTwo::new())
        .agent("/lab/messages_snapshot", lab::messages_snapshot::MessagesSnapshot::new())
        .agent("/lab/metadata", lab::metadata::Tagged::new())
        .agent("/lab/parallel", lab::parallel::Parallel::new())
        .agent("/lab/reasoning", lab::reasoning::Reasoning::new())
        .agent("/lab/result", lab::result::Surveyor::new())
        .agent("/lab/slow", lab::slow::Slow::new(watch.clone(), pace))
        .agent("/lab/state", lab::state::BoardKeeper::new())
        .agent("/lab/state_held", lab::state_held::StockKeeper::new())
        .agent("/lab/steps", lab::steps::Steps::new())
        .agent("/lab/subagent", lab::subagent::team())
        .agent("/lab/text", lab::text::Text::new())
        .agent("/lab/text_chunks", lab::text_chunks::TextChunks::new())
        .agent("/lab/tool", lab::tool::FirstTool::new())
        .agent("/lab/tool_result_parts", lab::tool_result_parts::Artist::new())
        .agent("/lab/unicode", lab::unicode::Unicode::new());
    #[cfg(feature = "mcp")]
    let server = server
        .agent("/lab/mcp", lab::mcp::Doorkeeper::new())
        .agent("/lab/mcp_library", lab::mcp_library::Reviewer::new())
        .agent("/lab/mcp_token", lab::mcp_token::Reader::new())
        .mcp("/lab/mcp_served", lab::mcp_served::server())
        .run_options(|parts| {
            RunOptions::default().request(lab::mcp_token::Visitor::of_request(&parts.headers))
        });
    server
        .copilotkit("/api/copilotkit")
        // A lab for pages of every origin, and for clients that all use the thread ids of their tests.
        .allow_any_origin()
        .limits(Limits::default().runs_per_thread(1024))
}
