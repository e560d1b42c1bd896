//! The cost of a connection, in allocated bytes.

use agui_runtime::Server;
use agui_tests::http::Request;

use crate::kitchen::{Cook, Served};

const CONNECTIONS: u64 = 20;

/// The bytes allocated for one connection with one request, of a server with this number of agents. The client's are
/// among them.
fn bytes(agents: usize) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server =
        (0..agents).fold(Server::new(), |server, number| server.agent(&format!("/{number}"), Cook::new().0));
    let request = Request::new("GET", "/0/capabilities");
    let served = runtime.block_on(Served::start(server));
    let send = || {
        runtime.block_on(async {
            for _ in 0..CONNECTIONS {
                assert_eq!(request.send(served.address).await.status, 200);
            }
        });
    };
    // The first request builds everything that is built once.
    send();
    allocation_counter::measure(send).bytes_total / CONNECTIONS
}

/// A copy of the routes for each connection would take 2.4 KB for each agent.
#[test]
fn a_connection_costs_the_same_however_many_agents_there_are() {
    let (few, many) = (bytes(1), bytes(60));
    assert!(many < few + 2_000, "{few} bytes with one agent, {many} with sixty");
    assert!(many < 100_000, "{many} bytes");
}
