//! Files that take no writes any more, as the balancer and the clients of a server see it.

use std::process::Command;
use std::time::{Duration, Instant};

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::Sqlite;
use agui_tests::folder::Folder;
use agui_tests::http::Request;
use agui_tests::report::report;
use serde_json::json;
use tokio::time::sleep;

use crate::thread_server::{Bells, Clerk, ThreadServer, asking};

/// The time in which a balancer must learn that the store takes no writes.
const NOTICED: Duration = Duration::from_secs(2);
const LEASE: Duration = Duration::from_secs(1);

async fn serve(folder: &Folder, bells: &Bells) -> ThreadServer {
    let server = Server::new()
        .threads(Sqlite::open(folder.0.join("threads.db")).unwrap())
        .thread_options(ThreadOptions::default().lease(LEASE))
        .health("/health");
    ThreadServer::serve(server.agent("/", Clerk::new(bells.clone()))).await
}

impl ThreadServer {
    async fn is_ready(&self) -> bool {
        Request::new("GET", "/health/ready").send(self.address).await.status == 200
    }

    /// Asks as a balancer does until the answer is as wanted.
    async fn notices(&self, is_ready: bool) {
        let begun = Instant::now();
        while self.is_ready().await != is_ready {
            assert!(begun.elapsed() < NOTICED, "ready is not {is_ready} after {:?}", begun.elapsed());
            sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test]
async fn a_file_that_was_removed_takes_no_runs() {
    let folder = Folder::new("removed");
    let server = serve(&folder, &Bells::default()).await;
    server.notices(true).await;
    assert_eq!(server.run(&asking("before", "hello")).await.status, 200);
    std::fs::remove_file(folder.0.join("threads.db")).unwrap();
    let refused = server.run(&asking("after", "hello")).await;
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(refused.text().contains("store_unavailable"), "{}", refused.text());
    server.notices(false).await;
}

#[tokio::test]
async fn a_file_that_another_process_keeps_locked_is_not_ready_until_it_is_free() {
    let folder = Folder::new("locked");
    let server = serve(&folder, &Bells::default()).await;
    server.notices(true).await;
    let other = rusqlite::Connection::open(folder.0.join("threads.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    server.notices(false).await;
    other.execute_batch("ROLLBACK").unwrap();
    // The write that waits for the lock comes first.
    sleep(Duration::from_secs(1)).await;
    server.notices(true).await;
}

/// The variable that makes a process of this test the one with the full disk.
const IS_LIMITED: &str = "AGUI_LIMITED_FILES";

/// A limit of the size of files stands for the disk. Its signal is ignored, so that writes fail as on a full disk.
#[test]
fn a_full_disk_ends_streams_with_a_code_and_is_not_ready() {
    if std::env::var_os(IS_LIMITED).is_some() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        return runtime.block_on(fill());
    }
    let limited = "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\"";
    let own = std::env::current_exe().unwrap();
    let test = "unwritable::a_full_disk_ends_streams_with_a_code_and_is_not_ready";
    let output = Command::new("bash")
        .args(["-c", limited])
        .arg(own)
        .args(["--exact", test, "--nocapture"])
        .env(IS_LIMITED, "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    report(format_args!("{}", told.lines().find(|line| line.contains("full after")).unwrap()));
}

async fn fill() {
    let folder = Folder::new("full");
    let bells = Bells::default();
    let server = serve(&folder, &bells).await;
    server.notices(true).await;
    // Streams whose runs wait: some say something later, others never do.
    let mut open = Vec::new();
    for number in 0..6 {
        let mut input =
            asking(&format!("open-{number}"), if number % 2 == 0 { "wait" } else { "wait for ever" });
        input["threadId"] = json!(format!("open-{number}"));
        let mut stream =
            Request::run("/", input.to_string()).patience(Duration::from_secs(60)).open(server.address).await;
        stream.until("waiting").await;
        open.push(stream);
    }
    // The last records are small, so that nothing fits any more.
    let (mut runs, mut full) = (0, None);
    for text in ["hello ".repeat(10_000), "hello".to_owned()] {
        loop {
            let mut input = asking(&format!("run-{runs}"), &text);
            input["threadId"] = json!(format!("fill-{runs}"));
            runs += 1;
            let answer = server.run(&input).await;
            if answer.status == 503 {
                assert!(answer.text().contains("store_unavailable"), "{}", answer.text());
                full.get_or_insert_with(Instant::now);
                break;
            }
            assert!(runs < 5_000, "the disk is not full");
        }
    }
    let full = full.unwrap();
    bells.go_on.notify_waiters();
    server.notices(false).await;
    for stream in open {
        let whole = tokio::time::timeout(LEASE * 20, stream.whole()).await.unwrap();
        assert!(whole.text().contains("\"store_unavailable\""), "{}", whole.text());
    }
    println!("full after {runs} runs; open streams ended within {:?}", full.elapsed());
}
