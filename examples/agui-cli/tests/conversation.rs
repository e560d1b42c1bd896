//! The command line as a person uses it: a whole conversation with the recipe's cook, recorded, shown again, and gone on with.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use agui_tests::outside::{ExampleServer, Finished, artefact, finish};

const LIMIT: Duration = Duration::from_secs(90);

fn cli(arguments: &[&str], typed: &str) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
    command.args(arguments);
    // The test talks to its own machine, whatever proxies there are.
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    finish(command, typed, LIMIT)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_whole_conversation_is_held_recorded_shown_again_and_gone_on_with() {
    whole_conversation("agui-cli.jsonl", &[], "~ /ingredients/0/amount: 160.0 → 80.0\n");
}

#[test]
fn the_binary_encoding_says_the_same() {
    // All numbers of a document are doubles there, so that nothing tells 160.0 from 160: this is how the encoding is seen.
    whole_conversation("agui-cli-binary.jsonl", &["--binary"], "~ /ingredients/0/amount: 160 → 80\n");
}

fn whole_conversation(recording: &str, options: &[&str], halved: &str) {
    let server = ExampleServer::start("recipe");
    let url = format!("{}/cook", server.url());
    let recording = artefact(recording);

    let typed = "pancakes\nfor one\norder it\n{\"approved\":true,\"note\":\"Ring twice\"}\nburn it\n";
    let chat = ["chat", &url, "--record", text(&recording)];
    let held = cli(&[&chat, options].concat(), typed);
    for said in [
        "Pancakes it is! First the shopping list.\n✦ recipe.sizzle {\"ingredient\":\"flour\"}\n",
        "\nAnd this is how it goes. This feeds 2. For how many shall I cook?\n+ /title: \"Pancakes\"\n",
        "\nEnough for 1 now.\n~ /servings: 2 → 1\n~ /ingredients/0/amount: 160 → 80\n",
        "\n· prices\n⚙ price {\"name\":\"flour\",\"amount\":80}\n  → 12\n",
        "\nTogether that is €0.76 for 1.\n⚙ confirm_order {\"total\":76,",
        "\nOrdered, number 1000. It will be at your door in half an hour. I passed on your note: “Ring twice”\n\
         ~ /order/status: \"proposed\" → \"placed\"\n+ /order/number: 1000\n",
        "the run failed: The kitchen is on fire. (KITCHEN_FIRE)\n",
    ] {
        // The encodings spell numbers each in its way.
        assert!(held.stdout.replace(".0", "").contains(said), "no `{said}` in {held}");
    }
    assert!(held.stdout.contains(halved), "not in the encoding that was asked for: {held}");
    assert!(held.stderr.contains("? confirm_order {\"total\":"), "{held}");
    assert_eq!(held.status.code(), Some(1), "a run failed: {held}");

    let lines = fs::read_to_string(&recording).unwrap();
    assert_eq!(lines.lines().filter(|line| line.starts_with("{\"type\":\"RUN_STARTED\"")).count(), 5);
    let shown = cli(&["chat", "--replay", text(&recording)], "");
    assert_eq!((shown.stdout, shown.status.code()), (held.stdout, Some(1)));

    // The server keeps nothing: what it is reminded of is what was recorded.
    let again = cli(&["chat", &url, "--restore", text(&recording), "-m", "order it", "--no-state"], "");
    let reminded = "That is ordered already, number 1000. Change it and I order again.\n";
    assert_eq!(again.assert_success().stdout, reminded);
}

#[test]
fn an_agent_says_what_it_can_do() {
    let server = ExampleServer::start("recipe");
    let declared = cli(&["capabilities", &format!("{}/cook", server.url())], "");
    let declared: serde_json::Value = declared.json();
    assert_eq!(declared["identity"]["name"], "cook");
}

/// A server that answers runs with these bodies, one after the other.
fn answering(bodies: &'static [&'static str]) -> String {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for body in bodies {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut piece = [0; 4096];
            while !is_whole(&request) {
                let count = stream.read(&mut piece).unwrap();
                assert!(count > 0, "hung up after {}", String::from_utf8_lossy(&request));
                request.extend_from_slice(&piece[..count]);
            }
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let records: String = body.lines().map(|line| format!("data: {line}\n\n")).collect();
            stream.write_all(format!("{head}{records}").as_bytes()).unwrap();
        }
    });
    url
}

/// Whether a request has come with all of its body.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| body.len() >= length.trim().parse::<usize>().unwrap())
}

const ASKS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"REASONING_START","messageId":"h"}
{"type":"REASONING_MESSAGE_START","messageId":"h1","role":"reasoning"}
{"type":"REASONING_MESSAGE_CONTENT","messageId":"h1","delta":"hm"}
{"type":"REASONING_MESSAGE_END","messageId":"h1"}
{"type":"REASONING_END","messageId":"h"}
{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{"steps":["ask"]}}
{"type":"RUN_FINISHED","threadId":"t","runId":"1","outcome":{"type":"interrupt","interrupts":[{"id":"q","reason":"confirmation","message":"Book it?","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}]}}"#;

const BOOKED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"2"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Booked."}
{"type":"RUN_FINISHED","threadId":"t","runId":"2"}"#;

#[test]
fn questions_are_answered_by_the_next_line() {
    let answered = cli(&["chat", &answering(&[ASKS, BOOKED])], "a room\nperhaps\nyes\n").assert_success();
    assert_eq!(answered.stdout, "hm\n▤ PLAN {\"steps\":[\"ask\"]}\nBooked.\n");
    assert!(
        answered.stderr.contains("? Book it?") && answered.stderr.contains("neither yes nor no"),
        "{answered}"
    );

    let left = cli(&["chat", &answering(&[ASKS]), "-m", "a room"], "");
    assert_eq!(left.status.code(), Some(1), "{left}");
    assert!(left.stderr.contains("nobody answers"), "{left}");
}

#[test]
fn what_cannot_be_talked_to_is_said() {
    let truncated = cli(&["chat", &answering(&[""]), "-m", "hello"], "");
    assert_eq!(truncated.status.code(), Some(1), "{truncated}");
    assert!(truncated.stdout.contains("the stream stopped before the run ended"), "{truncated}");
    for arguments in [
        &["chat", "http://127.0.0.1:1/", "-m", "hello"][..],
        &["chat", "nowhere", "-m", "hello"],
        &["chat", "--replay", "no such file"],
        &["chat", "http://127.0.0.1:1/", "-H", "no colon"],
        &["chat"],
    ] {
        let failed = cli(arguments, "");
        assert_eq!(failed.status.code(), Some(2), "{failed}");
        assert!(failed.stderr.starts_with("error: "), "{failed}");
    }
}
