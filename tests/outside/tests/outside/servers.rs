//! Example servers: started, found, and never left behind.

use std::{process::Command, time::Duration};

use agui_tests::outside::{ExampleServer, StartFailure};

const LIMIT: Duration = Duration::from_secs(10);

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn exists(pid: u32) -> bool {
    shell(&format!("kill -0 {pid} 2>/dev/null")).status().unwrap().success()
}

#[test]
fn a_server_is_found_at_the_address_it_prints_and_killed_when_dropped() {
    let script =
        "echo starting; echo \"asked for $AGUI_ADDR\"; echo 'on http://127.0.0.1:4321/ now'; exec sleep 600";
    let mut server = ExampleServer::spawn("fake", shell(script), LIMIT).unwrap();
    assert_eq!(server.url(), "http://127.0.0.1:4321");
    assert!(server.output().contains("asked for 127.0.0.1:0"), "{}", server.output());
    assert!(server.is_running());
    let pid = server.pid();
    assert!(exists(pid));
    drop(server);
    assert!(!exists(pid), "left behind");
}

#[test]
fn a_failing_test_leaves_no_server_behind() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let test = std::thread::spawn(move || {
        let server =
            ExampleServer::spawn("fake", shell("echo http://127.0.0.1:4321; exec sleep 600"), LIMIT).unwrap();
        sender.send(server.pid()).unwrap();
        panic!("deliberate");
    });
    assert!(test.join().is_err());
    assert!(!exists(receiver.recv().unwrap()), "left behind");
}

#[test]
fn a_server_that_ends_early_or_stays_silent_is_reported_with_its_words() {
    let ended = ExampleServer::spawn("fake", shell("echo no flour; echo no eggs >&2; exit 3"), LIMIT);
    let Err(StartFailure::Ended { output, .. }) = ended else { panic!("{ended:?}") };
    assert!(output.contains("out: no flour") && output.contains("err: no eggs"), "{output}");

    let silent = ExampleServer::spawn("fake", shell("echo hm; exec sleep 600"), Duration::from_secs(2));
    let Err(StartFailure::Silent { output, .. }) = silent else { panic!("{silent:?}") };
    assert!(output.contains("out: hm"), "{output}");

    let absent = ExampleServer::spawn("fake", Command::new("agui-no-such-program"), LIMIT);
    assert!(matches!(absent, Err(StartFailure::Spawn { .. })), "{absent:?}");
}
