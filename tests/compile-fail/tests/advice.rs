//! A hundred mistakes that users make, each of them one error that says what is wrong and what to write instead.
//!
//! A mistake is one small file in `tests/ui/advice`, with the headline and a part of the advice in its first lines. The files
//! are modules of a few programs, because a program for each would cost the compiler a hundred starts: `early.rs` and
//! `late.rs` have the mistakes that the compiler finds before or after all others, `typed.rs` the rest. [`ui`](../ui.rs)
//! compares the whole messages, and this test reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 3] = ["early", "typed", "late"];

const KINDS: [&str; 10] =
    ["agent", "client", "event", "helpers", "interrupt", "order", "server", "state", "tool", "types"];

/// Mistakes whose message is rustc's own, with the reason. Their first line says what is wrong; the advice is that of rustc.
const IN_RUSTCS_WORDS: &[(&str, &str)] = &[
    (
        "agent/behind_a_box",
        "`dyn Agent` asks no trait; the line of our source that rustc shows says what to write",
    ),
    (
        "agent/keeps_what_cannot_move",
        "`Send` is a trait of the standard library; the note names the value and the await",
    ),
    (
        "agent/lists_a_plain_function",
        "the name resolves to a function and not to a type, which the compiler knows before it asks any trait",
    ),
    ("agent/lists_a_tool_that_does_not_exist", "the name does not resolve; rustc proposes a similar one"),
    ("agent/lists_an_event_that_does_not_exist", "the name does not resolve; rustc proposes a similar one"),
    ("agent/made_without_its_dependencies", "a missing argument; rustc names its type"),
    (
        "agent/with_a_private_output",
        "the type of an associated type must be as visible as the agent; rustc names it and shows its declaration",
    ),
    (
        "agent/with_a_private_state",
        "the type of an associated type must be as visible as the agent; rustc names it and shows its declaration",
    ),
    ("client/delegate_to_an_agent_with_state", "a value of another type; rustc shows both"),
    ("client/delegate_without_new", "a value of another type; rustc shows both"),
    ("client/events_in_a_plain_loop", "`for` asks for a trait of the standard library"),
    (
        "client/input_of_a_text",
        "a conversion of the standard library; rustc lists the types that can be converted",
    ),
    ("client/input_without_messages", "a missing argument; rustc names its type"),
    (
        "client/message_that_is_not_converted",
        "a conversion of the standard library; rustc lists the types that can be converted",
    ),
    ("client/message_without_an_id", "a missing argument; rustc names its type"),
    ("client/started_without_arc", "a value of another type; rustc shows both"),
    ("helpers/borrows_the_run_twice", "two mutable borrows; rustc shows where they are"),
    (
        "helpers/spawns_with_the_run",
        "a lifetime; only the body of an agent or a tool is seen by a macro, which says what to write",
    ),
    ("helpers/takes_emit_by_value", "a value of another type; rustc shows both"),
    ("interrupt/answer_taken_as_a_bool", "a value of another type; rustc shows both"),
    ("order/call_settled_twice", "a moved value; rustc shows where it moved"),
    ("order/call_without_its_error", "a method of the value inside a `Result`; rustc says that it is there"),
    ("order/content_after_end", "a moved value; rustc shows where it moved"),
    ("order/finish_with_an_open_message", "a borrow that is still needed; rustc shows where"),
    ("order/messages_restated_in_a_message", "a borrow that is still needed; rustc shows where"),
    (
        "server/identity_that_cannot_be_cloned",
        "`Clone` is a trait of the standard library; rustc proposes the derive",
    ),
    ("server/limits_as_a_number", "a value of another type; rustc shows both"),
    ("server/shared_agent_without_arc", "a value of another type; rustc shows both"),
    (
        "server/that_is_not_awaited",
        "the type of the future is of the standard library, and so is its message",
    ),
    ("server/without_a_path", "a missing argument; rustc names its type"),
    ("state/key_that_elements_lack", "a field that does not exist; rustc lists the fields"),
    ("state/snapshot_of_another_type", "a value of another type; rustc shows both"),
    ("state/update_with_an_async_block", "the block borrows the parameter of its closure; no trait is asked"),
    (
        "state/update_with_an_async_closure",
        "the closure's future borrows its parameter; the line of our source that rustc shows says what to write",
    ),
    ("state/without_a_default", "`Default` is a trait of the standard library; rustc proposes the derive"),
    ("tool/argument_left_out", "a missing field of a struct; rustc names it"),
    (
        "tool/with_a_private_result",
        "the type of an associated type must be as visible as the tool; rustc names it and shows its declaration",
    ),
    ("types/time_without_a_json_form", "the derives of serde and schemars report it too"),
];

/// Mistakes with more than one error, with their number and the reason.
const MORE_THAN_ONE: &[(&str, usize, &str)] = &[
    ("helpers/of_what_is_no_agent", 2, "a method of a type whose own bound is not met is not found either"),
    ("server/without_a_path", 2, "rustc also checks the agent as the path"),
    ("types/number_as_a_string_without_its_type", 4, "the derives of serde and schemars write the path too"),
    ("types/time_without_a_json_form", 6, "the derives of serde and schemars report it too"),
];

/// One error of the compiler.
struct Message {
    headline: String,
    /// All of its text, without the frame.
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/advice")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The mistakes on disk, as `kind/name`.
fn mistakes() -> BTreeSet<String> {
    let entries = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut mistakes = BTreeSet::new();
    for kind in KINDS {
        for path in entries(folder().join(kind)) {
            mistakes.insert(format!("{kind}/{}", path.file_stem().unwrap().to_str().unwrap()));
        }
    }
    mistakes
}

/// The mistakes that a program has as modules.
fn modules(program: &str) -> Vec<String> {
    let mut kind = String::new();
    let mut modules = Vec::new();
    for line in read(&folder().join(format!("{program}.rs"))).lines() {
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            kind = name.to_owned();
        } else if let Some(name) = line.strip_prefix("    mod ").and_then(|rest| rest.strip_suffix(';')) {
            modules.push(format!("{kind}/{name}"));
        }
    }
    modules
}

/// The errors of all programs, by the mistake that they are about; those about none are under their place.
fn messages() -> BTreeMap<String, Vec<Message>> {
    let mut messages: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for program in PROGRAMS {
        let said = read(&folder().join(format!("{program}.stderr")));
        let mut error: Vec<&str> = Vec::new();
        for line in said.lines().chain(["error: the end"]) {
            let begins = ["error: ", "error[", "warning: "].iter().any(|word| line.starts_with(word));
            if begins && !error.is_empty() {
                let (place, message) = message(&error);
                messages.entry(place).or_default().push(message);
                error.clear();
            }
            if !error.is_empty() || (begins && !line.starts_with("warning")) {
                error.push(line);
            }
        }
    }
    messages
}

fn message(error: &[&str]) -> (String, Message) {
    let place = error.iter().find_map(|line| line.trim_start().strip_prefix("--> ")).unwrap_or_default();
    let file = place.split(".rs").next().unwrap_or_default();
    let mistake = file.strip_prefix("tests/ui/advice/").unwrap_or(file).to_owned();
    // The compiler writes the module before a name that several modules have.
    let (kind, name) = mistake.split_once('/').unwrap_or_default();
    let plain = |text: &str| {
        text.replace(&format!("{kind}::{name}::"), "").replace(&format!("{name}::"), "").replace("kit::", "")
    };
    let headline = error[0].split_once(": ").map_or("", |(_, headline)| headline);
    let text = error.iter().map(|line| {
        line.trim_start_matches(|letter: char| letter.is_ascii_digit() || " |=+~-^".contains(letter))
    });
    let text = plain(&text.collect::<Vec<_>>().join(" "));
    let headline = plain(headline);
    (mistake, Message { headline, text })
}

/// The value of a line such as `//! error: …` at the top of a file.
fn stated(mistake: &str, what: &str) -> Option<String> {
    let source = read(&folder().join(format!("{mistake}.rs")));
    let prefix = format!("//! {what}: ");
    source.lines().find_map(|line| line.strip_prefix(&prefix).map(str::to_owned))
}

#[test]
fn every_mistake_is_in_one_program() {
    let listed: Vec<String> = PROGRAMS.iter().flat_map(|program| modules(program)).collect();
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a mistake is in two programs");
    assert_eq!(once, mistakes(), "left: the modules of the programs, right: the files");
    assert!(listed.len() >= 100, "only {} mistakes", listed.len());
    for kind in KINDS {
        let count = listed.iter().filter(|mistake| mistake.starts_with(&format!("{kind}/"))).count();
        assert!(count >= 10, "only {count} mistakes about {kind}");
    }
}

#[test]
fn every_mistake_is_one_error_that_says_what_to_write() {
    let messages = messages();
    let mistakes = mistakes();
    let beside: Vec<_> = messages.keys().filter(|place| !mistakes.contains(*place)).collect();
    assert!(beside.is_empty(), "errors that are about no mistake, or at another place: {beside:?}");
    let rustcs: BTreeMap<_, _> = IN_RUSTCS_WORDS.iter().copied().collect();
    let more: BTreeMap<_, _> = MORE_THAN_ONE.iter().map(|(mistake, count, _)| (*mistake, *count)).collect();
    let mut wrong = Vec::new();
    for mistake in &mistakes {
        let errors = messages.get(mistake).map_or(&[] as &[Message], Vec::as_slice);
        let expected = more.get(&**mistake).copied().unwrap_or(1);
        if errors.len() != expected {
            wrong.push(format!("{mistake}: {} errors, not {expected}", errors.len()));
        }
        let Some(headline) = stated(mistake, "error") else {
            wrong.push(format!("{mistake}: no line `//! error: …`"));
            continue;
        };
        let Some(error) = errors.iter().find(|error| error.headline == headline) else {
            let found: Vec<_> = errors.iter().map(|error| &error.headline).collect();
            wrong.push(format!("{mistake}: expected `{headline}`, found {found:?}"));
            continue;
        };
        match stated(mistake, "write") {
            Some(advice) if !error.text.contains(&advice) => {
                wrong.push(format!("{mistake}: does not say `{advice}`:\n{}", error.text));
            }
            Some(_) => {}
            None if rustcs.contains_key(&**mistake) => {}
            None => wrong.push(format!("{mistake}: no line `//! write: …`")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("advice: {} mistakes, {} of them in rustc's own words", mistakes.len(), rustcs.len());
}

#[test]
fn exceptions_name_mistakes_and_reasons() {
    let mistakes = mistakes();
    let exceptions = IN_RUSTCS_WORDS.iter().copied();
    for (mistake, reason) in
        exceptions.chain(MORE_THAN_ONE.iter().map(|(mistake, _, reason)| (*mistake, *reason)))
    {
        assert!(mistakes.contains(mistake), "{mistake} is no mistake");
        assert!(reason.len() > 20, "{mistake}: {reason}");
    }
}
