//! A rolling restart under load: servers over one store are replaced, one after another, while runs go on. A balancer
//! asks each server if it is ready, and connects to those that are. No run is lost.
//!
//! `AGUI_ROLLING_ROUNDS=50 cargo test -p agui-tests --test threads rolling -- --nocapture` replaces them more often.

mod balancer;
mod load;
mod node;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use balancer::Balancer;
use load::Load;
use node::Node;

/// The servers that run at any time.
const NODES: usize = 3;

/// The users who ask at any time.
const USERS: usize = 12;

/// Against hangs: a server ends within its delay and the longest run.
const PATIENCE: Duration = Duration::from_secs(30);

fn rounds() -> usize {
    let named = std::env::var("AGUI_ROLLING_ROUNDS").ok();
    named.map_or(2, |rounds| rounds.parse().expect("AGUI_ROLLING_ROUNDS is a number"))
}

/// A folder for the store, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("agui-rolling-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_run_is_lost_while_servers_are_replaced() {
    let folder = Folder::new();
    let store = folder.0.join("threads.sqlite");
    let balancer = Balancer::start().await;
    let mut nodes = Vec::new();
    for _ in 0..NODES {
        let node = Node::start(&store);
        balancer.add(node.address);
        nodes.push(node);
    }
    timeout(PATIENCE, balancer.all_ready(NODES)).await.expect("the servers are never ready");
    let load = Arc::new(Load::new(balancer.address));
    let users: Vec<_> =
        (0..USERS).map(|user| tokio::spawn(Arc::clone(&load).ask_again_and_again(user))).collect();
    for _ in 0..rounds() {
        for node in &mut nodes {
            let has_share = async {
                while balancer.connections(node.address) == 0 {
                    sleep(Duration::from_millis(10)).await;
                }
            };
            timeout(PATIENCE, has_share).await.expect("a server gets no runs");
            let before = load.finished();
            node.terminate();
            timeout(PATIENCE, node.ended()).await.expect("a server does not end");
            let refused = balancer.refused();
            assert_eq!(refused, 0, "the balancer connected to a server that had closed its listener");
            balancer.remove(node.address);
            *node = Node::start(&store);
            balancer.add(node.address);
            timeout(PATIENCE, balancer.all_ready(NODES)).await.expect("the new server is never ready");
            assert!(load.finished() > before, "no run ended while a server was replaced");
        }
    }
    load.stop();
    for user in users {
        timeout(PATIENCE, user).await.expect("a user waits for ever").unwrap();
    }
    let finished = load.finished();
    assert!(finished >= USERS * NODES * rounds(), "only {finished} runs");
    // Every conversation is in the store, whole, and each server has it.
    load.check_kept().await;
    agui_tests::report::report(format_args!(
        "{finished} runs over {} replaced servers, none lost",
        NODES * rounds()
    ));
}

/// One server, if this process was started as one.
#[test]
fn as_a_server() {
    node::serve();
}
