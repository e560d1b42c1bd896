//! The command line in a whole conversation with the recipe's cook: recorded, shown again, and continued.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use agui_tests::cut_server::CutServer;
use agui_tests::folder::Folder;
use agui_tests::outside::{ExampleServer, Finished, artefact, finish};

const LIMIT: Duration = Duration::from_secs(90);

fn cli(arguments: &[&str], typed: &str) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
    command.args(arguments);
    // The test talks to its own machine, regardless of proxies.
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    finish(command, typed, LIMIT)
}

/// The recipe's server, whose cook hardly pauses.
fn recipe(variables: &[(&str, &str)]) -> ExampleServer {
    ExampleServer::start_with("recipe", &[&[("RECIPE_PACE", "0.05")], variables].concat())
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
    // The binary encoding has doubles only, so that 160.0 and 160 are equal: this shows the encoding.
    whole_conversation("agui-cli-binary.jsonl", &["--binary"], "~ /ingredients/0/amount: 160 → 80\n");
}

fn whole_conversation(recording: &str, options: &[&str], halved: &str) {
    let server = recipe(&[]);
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
    ] {
        // The encodings write numbers differently.
        assert!(held.stdout.replace(".0", "").contains(said), "no `{said}` in {held}");
    }
    assert!(held.stdout.contains(halved), "not in the encoding that was asked for: {held}");
    assert!(held.stderr.contains("? confirm_order {\"total\":"), "{held}");
    const FAILED: &str = "the run failed: The kitchen is on fire. (KITCHEN_FIRE)\n";
    assert!(held.stderr.ends_with(FAILED) && !held.stdout.contains(FAILED), "{held}");
    assert_eq!(held.status.code(), Some(1), "a run failed: {held}");

    let lines = fs::read_to_string(&recording).unwrap();
    assert_eq!(lines.lines().filter(|line| line.starts_with("{\"type\":\"RUN_STARTED\"")).count(), 5);
    let shown = cli(&["chat", "--replay", text(&recording)], "");
    let told: String = typed.lines().map(|line| format!("> {line}\n")).collect();
    assert_eq!(shown.stderr, format!("{told}{FAILED}"));
    assert_eq!((shown.stdout, shown.status.code()), (held.stdout, Some(1)));

    // The server keeps nothing: the recording restores the conversation.
    let again = cli(&["chat", &url, "--restore", text(&recording), "-m", "order it", "--no-state"], "");
    let reminded = "That is ordered already, number 1000. Change it and I order again.\n";
    assert_eq!(again.assert_success().stdout, reminded);
    let messages = cli(&["chat", &url, "--restore", text(&recording)], "/messages\n").assert_success().stdout;
    let messages: Vec<serde_json::Value> = serde_json::from_str(&messages).unwrap();
    let said: Vec<_> = messages.iter().filter(|message| message["role"] == "user").collect();
    assert_eq!(
        said.iter().map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>(),
        ["pancakes", "for one", "order it", "burn it"]
    );
    let answer = messages.iter().find(|message| message["content"] == typed.lines().nth(3).unwrap()).unwrap();
    assert_eq!(answer["role"], "tool");
}

#[test]
fn open_questions_are_answered_after_a_restart() {
    let server = recipe(&[]);
    let url = format!("{}/cook", server.url());
    let recording = artefact("agui-cli-left.jsonl");
    let left = cli(&["chat", &url, "--record", text(&recording)], "pancakes\norder it\n");
    assert!(left.status.code() == Some(1) && left.stderr.ends_with("there is no answer\n"), "{left}");

    let again = ["chat", &url, "--restore", text(&recording), "--record", text(&recording), "--no-state"];
    let answered = cli(&again, "{\"approved\":true}\n").assert_success();
    assert!(answered.stderr.starts_with("? confirm_order {\"total\":"), "{answered}");
    assert!(answered.stdout.starts_with("Ordered, number 1000."), "{answered}");
    let shown = cli(&["chat", "--replay", text(&recording), "--no-state"], "").assert_success();
    assert!(shown.stdout.ends_with(&answered.stdout), "{shown}");
    assert_eq!(shown.stderr, "> pancakes\n> order it\n> {\"approved\":true}\n");
    // Lines that the file holds already are not written again.
    let lines = fs::read_to_string(&recording).unwrap();
    let started = lines.lines().filter(|line| line.contains("\"RUN_STARTED\""));
    assert_eq!(started.filter(|line| line.contains("pancakes")).count(), 1, "{lines}");

    // The questions of an interrupted run are restored as well.
    let recording = artefact("agui-cli-asked.jsonl");
    let left = cli(&["chat", &answering(&[ASKS]), "--record", text(&recording), "-m", "a room"], "");
    assert_eq!(left.status.code(), Some(1), "{left}");
    let answered = cli(&["chat", &answering(&[BOOKED]), "--restore", text(&recording)], "yes\n");
    assert_eq!(answered.assert_success().stdout, "Booked.\n");
}

#[test]
fn an_agent_says_what_it_can_do() {
    let server = recipe(&[]);
    let declared = cli(&["capabilities", &format!("{}/cook", server.url())], "");
    let declared: serde_json::Value = declared.json();
    assert_eq!(declared["identity"]["name"], "cook");
}

/// The body of a server that hangs up before it answers.
const HANGS_UP: &str = "-";

/// A server that answers runs with these bodies, one after the other.
fn answering(bodies: &'static [&'static str]) -> String {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for body in bodies {
            // The server declares nothing.
            let mut stream = loop {
                let (mut stream, _) = listener.accept().unwrap();
                if asked(&mut stream).starts_with(b"POST ") {
                    break stream;
                }
                stream.write_all(NOT_FOUND.as_bytes()).unwrap();
            };
            if *body == HANGS_UP {
                continue;
            }
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let records: String = body.lines().map(|line| format!("data: {line}\n\n")).collect();
            stream.write_all(format!("{head}{records}").as_bytes()).unwrap();
        }
    });
    url
}

const NOT_FOUND: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Reads a request.
fn asked(stream: &mut TcpStream) -> Vec<u8> {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    while !is_whole(&request) {
        let count = stream.read(&mut piece).unwrap();
        assert!(count > 0, "hung up after {}", String::from_utf8_lossy(&request));
        request.extend_from_slice(&piece[..count]);
    }
    request
}

/// Returns true if a request is complete with its body.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    head.starts_with("get ")
        || length.is_some_and(|length| body.len() >= length.trim().parse::<usize>().unwrap())
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
    assert_eq!(answered.stdout, "reasoning: hm\n▤ PLAN {\"steps\":[\"ask\"]}\nBooked.\n");
    assert!(
        answered.stderr.contains("? Book it?") && answered.stderr.contains("expected yes, no or JSON"),
        "{answered}"
    );

    let left = cli(&["chat", &answering(&[ASKS]), "-m", "a room"], "");
    assert_eq!(left.status.code(), Some(1), "{left}");
    assert!(left.stderr.contains("there is no answer"), "{left}");
}

/// The run that got the answer fails. Its server says that no question is open any more.
const FAILS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"2"}
{"type":"RUN_ERROR","message":"no key","code":"panic","metadata":{"agui-rust/openInterrupts":[]}}"#;

/// A server that says nothing of its questions.
const FAILS_SILENTLY: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"2"}
{"type":"RUN_ERROR","message":"no key","code":"panic"}"#;

#[test]
fn a_conversation_goes_on_after_the_run_that_got_an_answer_failed() {
    let held = cli(&["chat", &answering(&[ASKS, FAILS, BOOKED])], "a room\nyes\nanother room\n");
    let said = "reasoning: hm\n▤ PLAN {\"steps\":[\"ask\"]}\nBooked.\n";
    let failed = "the run failed: no key (panic)";
    assert_eq!((held.stdout.as_str(), held.status.code()), (said, Some(1)), "{held}");
    assert_eq!(held.stderr.matches("? Book it?").count(), 1, "{held}");
    assert_eq!(held.stderr.matches(failed).count(), 1, "{held}");
    // The question may be open still: it is asked again, and can be cancelled.
    let held =
        cli(&["chat", &answering(&[ASKS, FAILS_SILENTLY, BOOKED])], "a room\nyes\nanother room\n/cancel\n");
    assert_eq!((held.stdout.as_str(), held.status.code()), (said, Some(1)), "{held}");
    assert_eq!(held.stderr.matches("? Book it?").count(), 2, "{held}");
    assert_eq!(held.stderr.matches(failed).count(), 1, "{held}");
}

#[test]
fn a_conversation_goes_on_after_a_lost_connection() {
    let url = answering(&[HANGS_UP, ASKS, HANGS_UP, HANGS_UP, BOOKED]);
    // The message and the answers are kept, so that an empty line is enough.
    let held = cli(&["chat", &url], "a room\n\nyes\n\n\n");
    assert_eq!(held.stdout, "reasoning: hm\n▤ PLAN {\"steps\":[\"ask\"]}\nBooked.\n", "{held}");
    assert_eq!(held.stderr.matches("error: the connection broke").count(), 3, "{held}");
    assert_eq!(held.status.code(), Some(2), "{held}");
    // Lines that were given beforehand build on each other.
    let given = cli(&["chat", &answering(&[HANGS_UP, BOOKED]), "-m", "a room", "-m", "thanks"], "");
    assert!(given.stdout.is_empty() && given.status.code() == Some(2), "{given}");
}

const REFUSED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"One moment."}
{"type":"STEP_STARTED","stepName":7}"#;

#[test]
fn a_refused_run_ends_neither_the_conversation_nor_its_recording() {
    let recording = artefact("agui-cli-refused.jsonl");
    let url = answering(&[REFUSED, BOOKED]);
    let held = cli(&["chat", &url, "--record", text(&recording)], "a room\n\n");
    assert_eq!((held.stdout.as_str(), held.status.code()), ("One moment.\nBooked.\n", Some(2)), "{held}");
    let shown = cli(&["chat", "--replay", text(&recording)], "");
    assert_eq!((shown.stdout, shown.status.code()), (held.stdout, Some(2)));
    assert!(shown.stderr.contains("error: the stream is refused: event 2: STEP_STARTED is malformed"));
    let again = cli(&["chat", "http://127.0.0.1:1/", "--restore", text(&recording)], "/messages\n");
    let messages: Vec<serde_json::Value> = serde_json::from_str(&again.stdout).unwrap();
    let said: Vec<_> = messages.iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(said, ["a room", "One moment.", "Booked."], "{again}");
    assert!(again.stderr.contains("event 2: STEP_STARTED is malformed"), "{again}");
}

const COMMANDS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a\u001b[2J\u001b]0;owned\u0007\n\tb"}
{"type":"STATE_SNAPSHOT","snapshot":{"\u001b[1m":"\u009b"}}
{"type":"STEP_STARTED","stepName":"\u001bc"}
{"type":"STEP_FINISHED","stepName":"\u001bc"}
{"type":"NEWS\u001b[5m"}
{"type":"RUN_FINISHED","threadId":"t","runId":"1","outcome":{"type":"interrupt","interrupts":[{"id":"q","reason":"x","message":"Really?\u001b[8m"}]}}"#;

#[test]
fn text_of_others_cannot_control_the_terminal() {
    let shown = cli(&["chat", &answering(&[COMMANDS]), "-m", "hello"], "");
    let said = "a␛[2J␛]0;owned␇\n\tb\n· ␛c\n+ /␛[1m: \"\\u009b\"\n";
    assert_eq!(shown.stdout, said, "{shown}");
    assert!(shown.stderr.contains("? Really?␛[8m") && shown.stderr.contains("NEWS␛[5m"), "{shown}");
    assert!(!shown.stderr.contains('\u{1b}'), "{shown}");
    const FAILED: &str = r#"{"type":"RUN_ERROR","message":"\u001b[31mno"}"#;
    let failed = cli(&["chat", &answering(&[FAILED]), "-m", "hello"], "");
    assert_eq!(failed.stderr, "the run failed: ␛[31mno\n", "{failed}");
    assert!(failed.stdout.is_empty(), "{failed}");
}

#[test]
fn options_that_cannot_apply_are_refused() {
    for option in [
        &["http://127.0.0.1:1/"][..],
        &["-m", "hello"],
        &["--record", "file"],
        &["--restore", "file"],
        &["--thread", "t"],
        &["-H", "a: b"],
        &["--binary"],
        &["--idle-timeout", "1"],
        &["--timeout", "1"],
        &["--max-bytes", "1"],
    ] {
        let refused = cli(&[&["chat", "--replay", "no such file"][..], option].concat(), "");
        assert!(refused.stderr.contains("cannot be used with"), "{option:?} {refused}");
        assert_eq!(refused.status.code(), Some(2), "{refused}");
    }
}

#[test]
fn an_unreachable_agent_is_reported() {
    let truncated = cli(&["chat", &answering(&[""]), "-m", "hello"], "");
    assert_eq!(truncated.status.code(), Some(1), "{truncated}");
    assert!(truncated.stderr.contains("the stream stopped before the run ended"), "{truncated}");
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

const CALLS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"confirm"}
{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}
{"type":"TOOL_CALL_END","toolCallId":"c"}
{"type":"RUN_FINISHED","threadId":"t","runId":"1","outcome":{"type":"success","pendingToolCallIds":["c"]}}"#;

const REFUSES: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"2"}
{"type":"RUN_ERROR","message":"answer of tool `confirm` at `.`: expected struct Confirmation","code":"tool_data"}"#;

#[test]
fn a_wrong_answer_to_a_tool_can_be_given_again() {
    let url = answering(&[CALLS, REFUSES, BOOKED]);
    let held = cli(&["chat", &url], "a room\nyes\n{\"approved\":true}\n/messages\n").assert_success();
    assert!(held.stderr.contains("the answer was not accepted"), "{held}");
    assert!(
        held.stderr.contains("expected struct Confirmation") && held.stdout.contains("Booked."),
        "{held}"
    );
    let messages: Vec<serde_json::Value> =
        serde_json::from_str(&held.stdout[held.stdout.find("[\n").unwrap()..]).unwrap();
    let answers: Vec<_> = messages.iter().filter(|message| message["role"] == "tool").collect();
    assert!(answers.len() == 1 && answers[0]["content"] == "{\"approved\":true}", "{held}");

    // Lines that were given beforehand are no answers to a question that was not expected.
    let given = cli(&["chat", &answering(&[CALLS, REFUSES]), "-m", "a room", "-m", "yes"], "");
    assert_eq!(given.status.code(), Some(1), "{given}");
}

#[test]
fn a_tool_of_the_page_is_answered_field_by_field() {
    let server = recipe(&[]);
    let url = format!("{}/cook", server.url());
    let recording = artefact("agui-cli-fields.jsonl");
    drop(fs::remove_file(&recording));
    let typed = "pancakes\norder it\nperhaps\nyes\nRing twice\n";
    let held = cli(&["chat", &url, "--no-state", "--record", text(&recording)], typed).assert_success();
    assert!(held.stderr.contains("  expected yes or no"), "{held}");
    assert_eq!(held.stderr.matches("? confirm_order {").count(), 1, "{held}");
    assert!(held.stdout.contains("I passed on your note: “Ring twice”"), "{held}");
    // The agent was offered the tool that it declares.
    let lines = fs::read_to_string(&recording).unwrap();
    assert!(
        lines.contains(r#""tools":[{"name":"confirm_order""#) && !lines.contains("agui-rust/result"),
        "{lines}"
    );

    // An empty line leaves an optional field out; an empty first line leaves the call open.
    let brief = cli(&["chat", &url, "--no-state"], "pancakes\norder it\nno\n\n").assert_success();
    assert!(brief.stdout.contains("nothing was ordered"), "{brief}");
    let open = cli(&["chat", &url, "--no-state"], "pancakes\norder it\n\n");
    assert!(open.stderr.ends_with("there is no answer\n") && open.status.code() == Some(1), "{open}");
}

/// The program sees a terminal only if `script` gives it one.
#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_is_greeted_and_a_pipe_is_not() {
    const GREETING: &str = "Each line is a message to the agent. /help lists the commands.";
    let mut command = Command::new("script");
    let program = env!("CARGO_BIN_EXE_agui-cli");
    command.args(["-qec", &format!("'{program}' chat http://127.0.0.1:1/"), "/dev/null"]);
    let typed = finish(command, "/quit\n", LIMIT).assert_success();
    assert!(typed.stdout.contains(GREETING), "{typed}");
    let piped = cli(&["chat", "http://127.0.0.1:1/"], "/quit\n").assert_success();
    assert!(!piped.stderr.contains(GREETING), "{piped}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_at_a_terminal_is_edited_and_comes_back() {
    let mut command = Command::new("script");
    let program = env!("CARGO_BIN_EXE_agui-cli");
    command.args(["-qec", &format!("'{program}' chat http://127.0.0.1:1/"), "/dev/null"]);
    command.env("TERM", "xterm");
    // `/hlp`, two steps to the left, `e`; then the line before.
    let typed = finish(command, "/hlp\u{1b}[D\u{1b}[De\r\u{1b}[A\r/quit\r", LIMIT).assert_success();
    assert_eq!(typed.stdout.matches("shows the conversation as JSON").count(), 2, "{typed}");
}

#[test]
fn help_is_as_wide_as_the_terminal() {
    for columns in [50, 72] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
        command.args(["chat", "--help"]).env("COLUMNS", columns.to_string());
        let help = finish(command, "", LIMIT).assert_success().stdout;
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(help.contains("/messages") && widest.chars().count() <= columns, "{columns}: {widest}");
    }
}

const PLANS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{"steps":["ask"]}}
{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"PLAN","patch":[{"op":"add","path":"/steps/-","value":"book"}]}
{"type":"RUN_FINISHED","threadId":"t","runId":"1"}"#;

#[test]
fn the_changes_of_an_activity_are_shown() {
    let held = cli(&["chat", &answering(&[PLANS]), "-m", "a room"], "").assert_success();
    assert_eq!(held.stdout, "▤ PLAN {\"steps\":[\"ask\"]}\n▤ PLAN changes\n+ /steps/1: \"book\"\n");
}

#[test]
fn help_lists_the_commands() {
    let held = cli(&["chat", "http://127.0.0.1:1/"], "/help\n").assert_success();
    for command in ["/state", "/messages", "/quit", "/help"] {
        assert!(held.stderr.contains(command), "{held}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let url = answering(&[ASKS]);
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_agui-cli"))
        .args(["chat", &url, "-m", "a room"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(program.stdout.take()); // as `head` does when it has its lines
    let done = program.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && !complaint.contains("error"), "{complaint}");
}

#[test]
fn a_stored_thread_is_shown_and_gone_on_with() {
    let server = CutServer::start();
    let shown = cli(&["chat", &server.url("/late/12"), "--thread", "t", "--no-state"], "").assert_success();
    // The text that had arrived is a line, and what follows it the next one.
    let expected = "reasoning: A naïve plan 🦀.\nLet me see\n… \n\n\n⚙ price {\"ingredient\":\"rice\"}\n  → {\"cents\":180}\n\
         ✦ bell [1,null]\nIt is 1.80.\n";
    assert_eq!(shown.stdout, expected);
    let gone_on = cli(&["chat", &server.url("/late/27"), "--thread", "t", "--no-state", "-m", "Again"], "");
    let asked = server.asked("/late/27");
    let paths: Vec<&str> = asked.iter().map(|asked| asked.path.as_str()).collect();
    assert_eq!(paths, ["/late/27/connect", "/late/27"], "{gone_on}");
    let messages = asked[1].body["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[4]["content"]), (5, &"Again".into()), "{messages:?}");

    let unkept = cli(&["chat", &server.url("/none/404"), "--thread", "t", "-m", "Hi"], "");
    assert!(unkept.stderr.contains("the agent stores no threads"), "{unkept}");
}

#[test]
fn a_thread_outlives_the_servers_that_keep_it() {
    let folder = Folder::new("cli");
    let kept = folder.0.display().to_string();
    let start = || {
        let server = recipe(&[("TMPDIR", &kept)]);
        let url = format!("{}/cook", server.url());
        (server, url)
    };
    let of_thread = ["--thread", "pancakes of ada", "--no-state"];
    let (server, url) = start();
    let said = cli(&[&["chat", &url, "-m", "pancakes"], &of_thread[..]].concat(), "").assert_success();
    assert!(said.stdout.contains("Pancakes it is!"), "{said}");
    // It is killed.
    drop(server);
    let (server, url) = start();
    let shown = cli(&[&["chat", &url], &of_thread[..]].concat(), "").assert_success();
    assert!(shown.stdout.contains("For how many shall I cook?"), "{shown}");
    let asked = cli(&[&["chat", &url, "-m", "order it"], &of_thread[..]].concat(), "");
    assert!(asked.stderr.contains("? confirm_order") && asked.status.code() == Some(1), "{asked}");
    drop(server);
    let (_server, url) = start();
    let answered = cli(&[&["chat", &url], &of_thread[..]].concat(), "{\"approved\":true}\n/messages\n");
    let answered = answered.assert_success();
    assert!(answered.stdout.contains("Ordered, number 1000."), "{answered}");
    let (_, messages) = answered.stdout.split_once("\n[").unwrap();
    let messages: Vec<serde_json::Value> = serde_json::from_str(&format!("[{messages}")).unwrap();
    let said = messages.iter().filter(|message| message["role"] == "user");
    assert_eq!(said.map(|message| &message["content"]).collect::<Vec<_>>(), ["pancakes", "order it"]);
}
