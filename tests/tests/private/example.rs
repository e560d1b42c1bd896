//! The example `records`: a customer's file that the model reads, and no client.

use std::net::SocketAddr;

use agui_runtime::testing::assert_private_text;
use agui_runtime::wire::proto;
use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;

use crate::stored::asking;

const FILE: [&str; 3] = ["4711-0815-2342", "paysLate", "pays_late"];

#[tokio::test]
async fn the_example_shows_no_file() {
    let server = ExampleServer::start("records");
    let address: SocketAddr = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    for (number, accept) in ["text/event-stream", proto::CONTENT_TYPE].into_iter().enumerate() {
        let run = Request::run("/", asking(&format!("r-{number}"), "I am Ada.").to_string());
        let answer = run.header("accept", accept).send(address).await;
        assert_eq!(answer.status, 200);
        assert!(answer.text().contains("In advance"), "{}", answer.text());
        assert_private_text(&answer.body, FILE);
    }
    let joined = Request::run("/connect", asking("c", "").to_string()).send(address).await;
    assert!(joined.text().contains("In advance"), "{}", joined.text());
    assert_private_text(&joined.body, FILE);
    let capabilities = Request::new("GET", "/capabilities").send(address).await;
    assert_private_text(&capabilities.body, ["customer_file", "CustomerFile"]);
}
