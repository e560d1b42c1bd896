//! A rolling restart under load: servers over one store are replaced, one after another, while runs go on. A balancer
//! asks each server if it is ready, and connects to those that are. There are more users than places, some answers outlast the
//! delay of a shutdown, and some connections are idle when it comes. No run is lost.
//!
//! `AGUI_ROLLING_ROUNDS=50 cargo test -p agui-tests --features optional --test threads rolling -- --nocapture` replaces them more often.

mod balancer;
mod load;
mod node;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::{sleep, timeout};

use balancer::Balancer;
use load::Load;
use node::Node;

/// The servers that run at any time.
const NODES: usize = 3;

/// The users who ask at any time, each on a connection of its own for each run.
const USERS: usize = 12;

/// The users who keep their connection between two runs.
const KEEPERS: usize = 3;

/// The rounds after which no connection must be left that was idle when its server closed it.
const FURTHER: usize = 5;

/// Against hangs: a server ends within its delay and the longest run.
const PATIENCE: Duration = Duration::from_secs(30);

fn rounds() -> usize {
    let named = std::env::var("AGUI_ROLLING_ROUNDS").ok();
    named.map_or(1, |rounds| rounds.parse().expect("AGUI_ROLLING_ROUNDS is a number"))
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
    let users = (0..USERS).map(|user| tokio::spawn(Arc::clone(&load).ask_again_and_again(user)));
    let keepers = (0..KEEPERS).map(|user| tokio::spawn(Arc::clone(&load).keep_a_connection(user)));
    let users: Vec<_> = users.chain(keepers).collect();
    let mut longest = Duration::ZERO;
    let mut replaced = 0;
    // An idle connection is chance: a further round makes it likely.
    while replaced < NODES * rounds() || (load.hung_up() == 0 && replaced < NODES * (rounds() + FURTHER)) {
        for node in &mut nodes {
            let earlier = node.long_answers();
            let has_long_answer = async {
                while node.long_answers() == earlier {
                    sleep(Duration::from_millis(10)).await;
                }
            };
            timeout(PATIENCE, has_long_answer).await.expect("a server gets no long answer");
            let (before, begun) = (load.finished(), Instant::now());
            node.terminate();
            timeout(PATIENCE, node.ended()).await.expect("a server does not end");
            longest = longest.max(begun.elapsed());
            let refused = balancer.refused();
            assert_eq!(refused, 0, "the balancer connected to a server that had closed its listener");
            balancer.remove(node.address);
            *node = Node::start(&store);
            balancer.add(node.address);
            timeout(PATIENCE, balancer.all_ready(NODES)).await.expect("the new server is never ready");
            assert!(load.finished() > before, "no run ended while a server was replaced");
            replaced += 1;
        }
    }
    load.stop();
    for user in users {
        timeout(PATIENCE, user).await.expect("a user waits for ever").unwrap();
    }
    let finished = load.finished();
    assert!(finished >= USERS * replaced, "only {finished} runs");
    // A long answer that began before the shutdown was read to its end after the delay.
    assert!(longest > node::DELAY + Duration::from_millis(200), "no server needed its grace: {longest:?}");
    let (refused, kept, hung_up) = (load.refused(), load.kept(), load.hung_up());
    assert!(refused > 0, "no limit was reached");
    assert!(kept > 0 && hung_up > 0, "{kept} kept connections, {hung_up} closed by their server");
    // Every conversation is in the store, whole, and each server has it.
    load.check_kept().await;
    agui_tests::report::report(format_args!(
        "{finished} runs over {replaced} replaced servers, none lost; {refused} requests refused, {kept} on kept connections, {hung_up} \
         of which were closed; the longest shutdown took {longest:?}"
    ));
}

/// One server, if this process was started as one.
#[test]
fn as_a_server() {
    node::serve();
}
