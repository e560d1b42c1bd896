//! The commands for stored threads, against a server that knows its callers.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::net::SocketAddr;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_tests::identified::identified;
use agui_tests::outside::{Finished, finish};

/// Repeats what the user says.
#[agent]
async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
    run.say(input.user_text().unwrap_or_default()).await;
    Ok(())
}

fn cli(arguments: &[&str]) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
    command.args(arguments).args(["-H", "x-name: ada"]);
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    finish(command, "", Duration::from_secs(60))
}

/// Serves until the test ends.
fn serve() -> SocketAddr {
    let (sender, address) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap()).unwrap();
            let server = identified(Server::new().threads(Memory::new()).agent("/", Parrot::new()));
            server.serve_on(listener, std::future::pending()).await.unwrap();
        });
    });
    address.recv().unwrap()
}

#[test]
fn threads_are_listed_renamed_archived_and_deleted() {
    let url = format!("http://{}/", serve());
    let list = |more: &[&str]| cli(&[&["threads", "list", &url], more].concat());
    assert_eq!((list(&[]).status.code(), list(&[]).stdout), (Some(0), String::new()));
    for (id, text) in [("one", "Where is my parcel?"), ("a/../b", "\u{1b}[2Jtwo\tlines\nhere")] {
        assert_eq!(cli(&["chat", &url, "--thread", id, "-m", text]).status.code(), Some(0));
    }
    let listed = list(&[]).stdout;
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(
        lines.iter().map(|line| (line[0], line[2], line[3])).collect::<Vec<_>>(),
        [
            ("a/../b", "(no title)", "agent: [2Jtwo lines here"),
            ("one", "(no title)", "agent: Where is my parcel?"),
        ]
    );
    let renamed = cli(&["threads", "rename", &url, "a/../b", "A parcel"]);
    assert!(renamed.stdout.contains("\tA parcel\t"), "{renamed:?}");
    let archived = cli(&["threads", "archive", &url, "a/../b"]);
    assert!(archived.stdout.contains("\tA parcel [archived]\t"), "{archived:?}");
    assert!(!list(&[]).stdout.contains("A parcel"));
    assert!(list(&["--archived"]).stdout.contains("A parcel [archived]"));
    assert!(!cli(&["threads", "archive", &url, "a/../b", "--undo"]).stdout.contains("archived"));
    assert!(cli(&["threads", "rename", &url, "a/../b"]).stdout.contains("(no title)"));
    assert_eq!(cli(&["threads", "delete", &url, "a/../b"]).status.code(), Some(0));
    let again = cli(&["threads", "delete", &url, "a/../b"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(again.stderr.contains("404"), "{again:?}");
    assert_eq!(list(&["--archived"]).stdout.lines().count(), 1);
}
