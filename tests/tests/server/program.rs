//! A whole program with a plain `main`: its address, its signals, its errors.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use agui_runtime::manifest::{Manifest, hook};
use agui_tests::http::{Piece, Request};
use agui_tests::outside::{ExampleServer, target_dir};

use crate::kitchen::asking;

const LIMIT: Duration = Duration::from_secs(20);

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_served"))
}

fn start() -> ExampleServer {
    ExampleServer::spawn("served", program(), LIMIT).unwrap()
}

fn address(server: &ExampleServer) -> std::net::SocketAddr {
    server.url().strip_prefix("http://").unwrap().parse().unwrap()
}

fn signal(server: &ExampleServer, name: &str) {
    let status = Command::new("kill").args(["-s", name, &server.pid().to_string()]).status().unwrap();
    assert!(status.success());
}

async fn ended(server: &mut ExampleServer) {
    let ending = async {
        while server.is_running() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(LIMIT, ending).await.expect("the program goes on");
}

fn failing(address: &str) -> Output {
    let output = program().env("AGUI_ADDR", address).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    output
}

#[tokio::test]
async fn it_prints_where_it_listens_and_ends_on_a_signal() {
    for name in ["INT", "TERM"] {
        let mut server = start();
        assert_eq!(server.output().lines().count(), 1, "{}", server.output());
        let events = Request::run("/", asking("hello").to_string()).send(address(&server)).await.events();
        assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
        signal(&server, name);
        ended(&mut server).await;
    }
}

#[tokio::test]
async fn a_second_signal_ends_the_grace() {
    let mut server = start();
    let mut answer = Request::run("/", asking("wait").to_string()).open(address(&server)).await;
    answer.until("RUN_STARTED").await;
    signal(&server, "INT");
    // The grace period of this program is longer than the test's limit.
    assert!(tokio::time::timeout(Duration::from_millis(200), answer.next()).await.is_err());
    assert!(server.is_running());
    signal(&server, "INT");
    let end = tokio::time::timeout(LIMIT, answer.until("\"shutdown\"")).await;
    assert!(end.is_ok(), "the grace goes on");
    assert_eq!(answer.next().await, Piece::End);
    ended(&mut server).await;
}

#[tokio::test]
async fn a_second_signal_ends_the_delay_and_the_grace() {
    let mut delayed = program();
    delayed.arg("delay");
    let mut server = ExampleServer::spawn("served", delayed, LIMIT).unwrap();
    let mut answer = Request::run("/", asking("wait").to_string()).open(address(&server)).await;
    answer.until("RUN_STARTED").await;
    signal(&server, "TERM");
    // It still accepts.
    let events = Request::run("/", asking("hello").to_string()).send(address(&server)).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
    signal(&server, "TERM");
    let end = tokio::time::timeout(LIMIT, answer.until("\"shutdown\"")).await;
    assert!(end.is_ok(), "the delay goes on");
    assert_eq!(answer.next().await, Piece::End);
    ended(&mut server).await;
}

#[test]
fn an_invalid_address_is_named() {
    for wrong in ["nonsense", "127.0.0.1", "127.0.0.1:99999", ":::"] {
        let error = String::from_utf8(failing(wrong).stderr).unwrap();
        assert!(error.starts_with(&format!("Error: AGUI_ADDR is `{wrong}`: expected an address")), "{error}");
    }
}

#[test]
fn an_address_in_use_is_named() {
    let server = start();
    let address = address(&server).to_string();
    let error = String::from_utf8(failing(&address).stderr).unwrap();
    assert!(error.starts_with(&format!("Error: the address {address} is in use")), "{error}");
}

/// A folder of its own for one manifest.
fn scratch(name: &str) -> PathBuf {
    let folder = target_dir().join("server-tests").join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder.join("agui.manifest.json")
}

#[test]
fn a_program_that_is_asked_for_its_manifest_writes_it_and_ends() {
    let served = env!("CARGO_BIN_EXE_served");
    let rows: [(&str, &str, &[&str], &str, &str); 3] = [
        ("serve", served, &[], "served", "host"),
        ("router", served, &["router"], "served", "host"),
        ("main", env!("CARGO_BIN_EXE_registered"), &[], "agui-tests", "porter"),
    ];
    for (name, program, arguments, krate, agent) in rows {
        let path = scratch(name);
        let mut command = Command::new(program);
        let output = command.args(arguments).env("AGUI_MANIFEST_OUT", &path).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{name}: {output:?}");
        let manifest = Manifest::from_json(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(manifest.krate.name, krate);
        let agents: Vec<_> = manifest.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(agents, [agent], "{name}");

        let nowhere = path.with_file_name("nowhere").join("agui.manifest.json");
        let output = command.env("AGUI_MANIFEST_OUT", &nowhere).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true), "{name}");
        assert!(error.starts_with("error: ") && error.contains("nowhere"), "{name}: {error}");
    }
}

#[test]
fn a_program_without_agents_says_so_when_it_is_asked_and_goes_on() {
    let path = scratch("agentless");
    let output =
        Command::new(env!("CARGO_BIN_EXE_agentless")).env("AGUI_MANIFEST_OUT", &path).output().unwrap();
    assert!(output.status.success() && !path.exists(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "main ran\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("{}\n", hook::NONE_YET));
}

#[test]
fn a_program_that_is_not_asked_goes_on() {
    for (program, arguments, expected) in [
        (env!("CARGO_BIN_EXE_registered"), &[][..], "main ran\n"),
        (env!("CARGO_BIN_EXE_served"), &["router"][..], "routes made\n"),
    ] {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}
