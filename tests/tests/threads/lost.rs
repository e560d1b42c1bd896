//! Servers that are lost in the middle of a run.

use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::Memory;
use tokio::runtime::Runtime;

use crate::house::{Bells, Clerk, House, asking, events, is_legal, result, types};

fn server(log: &Memory, bells: &Bells) -> Server {
    let options = ThreadOptions::default().lease(Duration::from_secs(1));
    Server::new().threads(log.clone()).thread_options(options).agent("/", Clerk::new(bells.clone()))
}

/// Starts a run on a server that ends without a trace.
fn lose(log: &Memory, bells: &Bells) -> String {
    let doomed = Runtime::new().unwrap();
    let seen = doomed.block_on(async {
        let house = House::serve(server(log, bells)).await;
        let mut answer = crate::house::request(&asking("1", "wait")).open(house.address).await;
        answer.until("waiting").await
    });
    doomed.shutdown_background();
    seen
}

#[test]
fn its_run_ends_with_an_error_and_the_thread_goes_on() {
    let (log, bells) = (Memory::new(), Bells::default());
    let seen = lose(&log, &bells);
    Runtime::new().unwrap().block_on(async {
        let house = House::serve(server(&log, &bells)).await;
        // The client comes back with its cursor, and waits until the lease is over.
        let last = crate::house::frames(&seen).pop().unwrap().0.unwrap();
        let rest = house.connect(Some(&last)).await;
        assert_eq!(types(rest.text()), "TEXT_MESSAGE_END RUN_ERROR");
        is_legal(&(seen + rest.text()));
        assert_eq!(events(rest.text())[1]["code"], "node_lost");
        let next = house.run(&asking("2", "hello")).await;
        assert_eq!(result(&next)["messages"].as_array().unwrap().len(), 3, "what it said before is there");
    });
}

#[test]
fn a_run_that_waits_for_the_thread_begins_when_the_lost_one_has_ended() {
    let (log, bells) = (Memory::new(), Bells::default());
    lose(&log, &bells);
    Runtime::new().unwrap().block_on(async {
        let house = House::serve(server(&log, &bells)).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let next = house.run(&asking("2", "hello")).await;
        assert_eq!(next.status, 200, "{}", next.text());
        is_legal(house.connect(None).await.text());
    });
}
