//! Servers as processes, over their standard input and output.

use std::time::Duration;

use agui_runtime::mcp::{McpClient, McpError};
use rmcp::ClientServiceExt as _;
use rmcp::transport::TokioChildProcess;
use serde_json::json;
use tokio::process::Command;

use crate::wired::{block_on, call, client_config, lifecycles, said, through};

const SHOP: &str = env!("CARGO_BIN_EXE_mcp_shop");

#[test]
fn rmcp_calls_the_tools_of_a_process() {
    block_on(async {
        for lifecycle in lifecycles() {
            let process = TokioChildProcess::new(Command::new(SHOP)).unwrap();
            let client = client_config().serve_with_lifecycle(process, lifecycle).await.unwrap();
            assert_eq!(client.peer_info().unwrap().instructions.as_deref(), Some("Prices are in cents."));
            assert_eq!(client.list_all_tools().await.unwrap().len(), 14);
            let price = call(&client, "price", json!({ "name": "rice" })).await.unwrap();
            assert_eq!(said(&price), ("180".to_owned(), false));
            client.cancel().await.unwrap();
        }
    });
}

#[test]
fn our_client_starts_and_ends_a_process() {
    block_on(async {
        let shop = McpClient::spawn(SHOP, ["stdio"]).await.unwrap();
        assert_eq!(shop.instructions().as_deref(), Some("Prices are in cents."));
        assert_eq!(through(&shop, "price", json!({ "name": "rice" })).await, ("180".to_owned(), false));
        shop.close().await;
    });
}

#[test]
fn a_process_that_dies_in_the_middle_of_a_call_fails_that_call() {
    block_on(async {
        let shop = McpClient::spawn(SHOP, ["stdio"]).await.unwrap();
        let (text, failed) = through(&shop, "crash", json!({})).await;
        let lost = r#"{"error":"the connection to the MCP server `mcp_shop` was lost"}"#;
        assert_eq!((text.as_str(), failed), (lost, true));
        assert!(matches!(shop.tools().await.unwrap_err(), McpError::Lost { .. }));
    });
}

#[test]
fn a_program_that_is_no_server_is_not_connected() {
    block_on(async {
        let missing = McpClient::spawn("no-such-program", [""; 0]).await.unwrap_err();
        assert!(
            matches!(&missing, McpError::Connect { server, .. } if server == "no-such-program"),
            "{missing:?}"
        );
        let silent = McpClient::spawn("true", [""; 0]).await.unwrap_err();
        assert!(matches!(&silent, McpError::Connect { server, .. } if server == "true"), "{silent:?}");
    });
}

/// A command of the shop that writes its process id into a file, and the folder of that process.
#[cfg(target_os = "linux")]
fn numbered(name: &str) -> (Command, impl Fn() -> std::path::PathBuf) {
    let file = std::env::temp_dir().join(format!("agui-mcp-{name}-{}", std::process::id()));
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("echo $$ > {}; exec {SHOP}", file.display()));
    let folder = move || {
        let process = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        std::path::PathBuf::from("/proc").join(process.trim())
    };
    (command, folder)
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_ends_with_its_last_handle() {
    block_on(async {
        let (command, folder) = numbered("handle");
        let shop = McpClient::command(command).await.unwrap();
        let folder = folder();
        assert!(folder.exists());
        drop(shop);
        while folder.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
}

/// True while the process runs: a process that has ended may still be in the system's table.
#[cfg(target_os = "linux")]
fn is_running(folder: &std::path::Path) -> bool {
    std::fs::read_to_string(folder.join("stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_ends_with_the_runtime() {
    use tokio::runtime::Builder;

    for (name, mut builder) in [("one", Builder::new_current_thread()), ("many", Builder::new_multi_thread())]
    {
        let runtime = builder.enable_all().build().unwrap();
        let (command, folder) = numbered(name);
        let shop = runtime.block_on(McpClient::command(command).into_future()).unwrap();
        let folder = folder();
        assert!(is_running(&folder));
        drop(runtime);
        drop(shop);
        let end = std::time::Instant::now() + Duration::from_secs(10);
        while is_running(&folder) {
            assert!(std::time::Instant::now() < end, "the process still runs");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_program_over_standard_input_and_output_describes_itself() {
    let manifest = std::env::temp_dir().join(format!("agui-mcp-manifest-{}.json", std::process::id()));
    let mut command = std::process::Command::new(SHOP);
    let output =
        command.env("AGUI_MANIFEST_OUT", &manifest).stdin(std::process::Stdio::null()).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let written = std::fs::read_to_string(&manifest).unwrap();
    std::fs::remove_file(&manifest).unwrap();
    let manifest = agui_runtime::manifest::Manifest::from_json(&written).unwrap();
    assert!(manifest.agents.iter().any(|agent| agent.name == "shop"), "{written}");
}
