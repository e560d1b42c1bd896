//! The mistake for each rule: every rule that a stream can break, with or without a check in the official client, and
//! every official stream that a client must refuse, has a program here that would cause it and does not compile.
//!
//! The programs are `tests/ui/order/*.rs`, each named after its mistake; [`ui`](../ui.rs) compares the messages of the
//! compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agui_runtime::order::OrderRule;

/// The guard against a stream that breaks a rule.
enum Guard {
    /// These programs, which do not compile.
    Compiler(&'static [&'static str]),
    /// A check at run time, because types do not see the values of ids, and the programs whose types do prevent it. The proofs kill
    /// each mutant of the kernel's checks.
    Runtime(&'static [&'static str]),
}
use Guard::{Compiler, Runtime};

/// Rows of the verifier's own table, by code.
const RULES: &[(&str, Guard)] = &[
    ("V_FIRST_EVENT", Compiler(&["run_made_by_hand", "run_started_by_hand"])),
    ("V_AFTER_ERROR", Compiler(&["run_error_in_the_middle"])),
    (
        "V_AFTER_FINISHED",
        Compiler(&[
            "cancelled_by_a_helper",
            "event_after_finish",
            "finish_twice",
            "helper_that_finishes",
            "interrupt_in_the_middle",
            "cancelled_in_the_middle",
            "run_kept_beyond_its_end",
        ]),
    ),
    (
        "V_RUN_ACTIVE",
        Compiler(&["run_started_by_a_helper", "run_started_with_other_ids", "run_started_by_hand"]),
    ),
    ("V_TEXT_DUPLICATE_START", Compiler(&["message_started_by_id", "message_id_chosen_by_hand"])),
    (
        "V_TEXT_CONTENT_NOT_OPEN",
        Compiler(&[
            "content_by_id",
            "content_before_start",
            "content_of_a_message_that_was_not_awaited",
            "content_after_end",
            "message_sent_after_it_was_given_away",
            "message_into_another_task",
        ]),
    ),
    (
        "V_TEXT_END_NOT_OPEN",
        Compiler(&[
            "message_ended_by_id",
            "message_ended_by_a_helper",
            "message_ended_before_it_was_awaited",
            "end_without_a_start",
            "message_ended_twice",
        ]),
    ),
    ("V_TOOL_DUPLICATE_START", Compiler(&["call_id_chosen_by_hand", "call_started_by_name"])),
    (
        "V_TOOL_ARGS_NOT_OPEN",
        Compiler(&[
            "arguments_of_a_named_call_that_was_not_awaited",
            "arguments_of_a_frontend_call_made_at_once",
            "arguments_before_start",
            "arguments_of_a_call_that_was_not_awaited",
            "arguments_of_a_call_made_at_once",
            "arguments_after_end",
            "named_arguments_after_end",
        ]),
    ),
    (
        "V_TOOL_END_NOT_OPEN",
        Compiler(&[
            "call_ended_before_it_was_awaited",
            "named_call_ended_before_it_was_awaited",
            "frontend_call_ended_again",
            "call_ended_by_id",
            "call_ended_twice",
            "call_ended_again_after_its_end",
        ]),
    ),
    ("V_TOOL_PARENT_OWNER", Runtime(&["parent_named_by_hand", "parent_receipt_made_by_hand"])),
    ("V_TOOL_REOPEN_OWNER", Runtime(&["call_id_chosen_by_hand"])),
    ("V_STEP_DUPLICATE_START", Runtime(&["step_started_by_name"])),
    ("V_STEP_OTHER_OWNER", Compiler(&["step_finished_by_name"])),
    (
        "V_STEP_FINISH_NOT_OPEN",
        Compiler(&["step_finished_by_name", "step_finished_twice", "step_finished_before_it_was_awaited"]),
    ),
    ("V_REASONING_SPAN_DUPLICATE", Compiler(&["reasoning_started_by_id"])),
    (
        "V_REASONING_SPAN_NOT_OPEN",
        Compiler(&[
            "reasoning_ended_by_a_helper",
            "reasoning_ended_before_it_was_awaited",
            "reasoning_ended_by_hand",
            "reasoning_ended_twice",
        ]),
    ),
    ("V_REASONING_MSG_DUPLICATE", Compiler(&["reasoning_message_started_by_id", "reasoning_started_by_id"])),
    (
        "V_REASONING_MSG_NOT_OPEN",
        Compiler(&[
            "reasoning_content_by_id",
            "reasoning_message_ended_by_id",
            "reasoning_message_ended_before_it_was_awaited",
            "reasoning_without_a_message",
            "reasoning_without_a_span",
            "reasoning_of_a_message_that_was_not_awaited",
            "reasoning_message_before_the_span",
            "reasoning_message_after_the_span",
            "reasoning_after_end",
            "reasoning_message_ended_twice",
        ]),
    ),
    ("V_SUBAGENT_ACTIVE", Compiler(&["subagent_started_by_hand"])),
    ("V_SUBAGENT_REUSED", Runtime(&["subagent_started_by_hand"])),
    ("V_SUBAGENT_PARENT_UNKNOWN", Compiler(&["subagent_started_by_hand"])),
    ("V_SUBAGENT_NOT_ACTIVE", Compiler(&["subagent_failed_by_id", "subagent_finished_by_id"])),
    ("V_OWNER_MISMATCH", Runtime(&["owner_chosen_by_hand"])),
    ("V_FINISH_WITH_OPEN_STEPS", Compiler(&["finish_with_an_open_step"])),
    ("V_FINISH_WITH_OPEN_TEXT", Compiler(&["finish_with_an_open_message"])),
    (
        "V_FINISH_WITH_OPEN_REASONING_MESSAGES",
        Compiler(&["finish_with_an_open_reasoning_message", "reasoning_end_with_an_open_message"]),
    ),
    ("V_FINISH_WITH_OPEN_REASONING_SPANS", Compiler(&["finish_with_open_reasoning"])),
    (
        "V_FINISH_WITH_OPEN_TOOLS",
        Compiler(&[
            "finish_with_an_open_call",
            "finish_with_an_open_named_call",
            "finish_with_an_unanswered_call",
        ]),
    ),
    ("V_FINISH_WITH_OPEN_SUBAGENTS", Compiler(&["finish_with_an_active_subagent"])),
    ("SPEC_RUN_ID_MISMATCH", Compiler(&["finish_of_another_run", "event_sent_by_hand"])),
    ("SPEC_THREAD_ID_MISMATCH", Compiler(&["finish_of_another_run", "event_sent_by_hand"])),
    ("SPEC_THREAD_CHANGED", Compiler(&["run_started_by_hand"])),
    ("SPEC_RUN_ID_REUSED", Compiler(&["run_started_by_hand"])),
    ("SPEC_NOT_THE_REQUEST", Compiler(&["run_started_by_hand"])),
    ("SPEC_DUPLICATE_INTERRUPT", Runtime(&["one_question_asked_twice"])),
    ("SPEC_TRUNCATED", Compiler(&["run_that_ends_without_a_finish"])),
    ("PRODUCER_NO_PROTOCOL_VERSION", Compiler(&["run_started_by_hand"])),
    ("PRODUCER_CHUNK_NOT_EXPANDED", Compiler(&["chunk_by_hand"])),
    (
        "PRODUCER_RESULT_BEFORE_END",
        Compiler(&[
            "named_call_failed_before_its_end",
            "interrupt_before_the_arguments_end",
            "result_before_the_arguments_end",
            "run_before_the_arguments_end",
            "result_of_a_call_that_was_not_awaited",
            "named_call_answered_before_its_end",
            "named_call_run_before_its_end",
            "named_call_dispatched_before_its_end",
        ]),
    ),
    ("PRODUCER_SECOND_RESULT", Runtime(&["result_twice", "named_call_settled_twice"])),
    ("PRODUCER_RESULT_OF_UNKNOWN_CALL", Runtime(&["result_of_an_unknown_call"])),
    (
        "PRODUCER_RESULT_OF_FRONTEND_CALL",
        Runtime(&["result_of_a_frontend_call", "frontend_call_run_in_the_agent"]),
    ),
    ("PRODUCER_CALL_AFTER_RESULT", Compiler(&["call_id_chosen_by_hand"])),
    ("PRODUCER_INTERRUPT_OF_FRONTEND_CALL", Runtime(&["frontend_call_as_an_interrupt"])),
    (
        "PRODUCER_PENDING_CALLS_WRONG",
        Compiler(&["pending_calls_named_by_hand", "backend_call_left_to_the_client"]),
    ),
    (
        "PRODUCER_ACTIVITY_DELTA_BEFORE_SNAPSHOT",
        Runtime(&["activity_delta_by_id", "activity_updated_before_it_was_awaited"]),
    ),
    (
        "PRODUCER_SNAPSHOT_WHILE_OPEN",
        Runtime(&[
            "messages_snapshot_with_an_open_message",
            "messages_snapshot_with_an_open_call",
            "messages_snapshot_of_a_helper",
        ]),
    ),
    ("PRODUCER_MESSAGE_ID_REUSED", Runtime(&["activity_shown_by_id", "message_id_chosen_by_hand"])),
    ("PRODUCER_REOPENED_DIFFERENTLY", Runtime(&["message_id_chosen_by_hand", "call_id_chosen_by_hand"])),
    ("PRODUCER_ANNOUNCED_TOO_LATE", Compiler(&["subagent_started_by_hand", "owner_chosen_by_hand"])),
];

/// The official client's messages about events that are not events, which are not rules of the order: the type of an
/// event has no such value, and events are not written by hand.
const NEVER_AN_EVENT: &[(&str, &[&str])] = &[
    ("V_NULL_FIELD", &["null_for_something_absent"]),
    ("V_SUBAGENT_FIELD_MISSING", &["subagent_without_a_name"]),
    ("V_SUBAGENT_INTERRUPT_IDS", &["subagent_questions_named_by_hand"]),
    ("V_SUBAGENT_OUTCOME", &["subagent_outcome_chosen_by_hand"]),
];

/// The official conformance streams that a client must refuse, as far as a producer writes such streams.
const FATAL_STREAMS: &[(&str, &[&str])] = &[
    ("chunk-conflicting-tool-name-fatal", &["chunk_by_hand"]),
    ("custom-closes-chunk-stream-fatal", &["chunk_by_hand"]),
    ("event-after-run-finished-fatal", &["event_after_finish"]),
    ("first-tool-chunk-missing-name-fatal", &["chunk_by_hand"]),
    ("malformed-known-field-fatal", &["content_that_is_no_text"]),
    ("nested-run-started-fatal", &["run_started_by_hand"]),
    ("open-message-at-run-finished-fatal", &["finish_with_an_open_message"]),
    ("reasoning-discipline-verified", &["reasoning_without_a_span"]),
    ("reasoning-message-wrong-role-fatal", &["reasoning_message_of_another_role"]),
    ("run-finished-with-active-subagent-fatal", &["finish_with_an_active_subagent"]),
    ("step-finished-without-start-fatal", &["step_finished_by_name"]),
    ("subagent-started-missing-name-fatal", &["subagent_without_a_name"]),
    ("unknown-enum-value-role-fatal", &["role_that_does_not_exist"]),
];

/// The rules of our own API beyond the order of events: deltas need a declared baseline, and lists of tools and events
/// are closed.
const BEYOND: &[&str] = &[
    "update_before_a_baseline",
    "update_of_the_run",
    "patch_by_hand",
    "patch_by_a_helper",
    "snapshot_by_a_helper",
    "update_by_a_helper",
    "event_sent_by_a_helper",
    "snapshot_by_hand",
    "event_not_in_the_list",
    "event_emitted_by_hand",
    "tool_not_in_the_list",
    "subagent_with_state",
    "tasks_beyond_the_end_of_the_run",
    "encrypted_value_by_id",
    "encrypted_value_of_a_span",
    "finish_with_an_activity_that_changes",
    "answer_of_a_backend_tool",
    "named_call_of_an_agent_without_a_set",
    "error_after_finish",
];

/// Mistakes with more than one error of the compiler, with the number and the reason.
const MORE_THAN_ONE_ERROR: &[(&str, usize, &str)] = &[];

/// Public traits without a message of their own, with the reason.
const NOBODY_IMPLEMENTS: &[(&str, &str)] = &[
    (
        "Sealed",
        "private: what keeps others from implementing the trait that asks for it, which has a message",
    ),
    ("Subagent", "`#[agent]` implements it; `SubagentOf`, which a list asks for, has a message"),
    ("UndecidedCall", "of the runtime: the calls of tools with approval have it"),
    ("AnyOpenCall", "only `boxed_call` makes one, of a call that `#[agent]` wrote"),
    ("CallWatcher", "of the packages beside the core: users cannot name it"),
    ("RemoveMember", "of the packages beside the core: users cannot name it"),
    ("ViaPublicCauses", "asked of a type that always has it or `ViaPublicError`"),
    ("ViaPublicError", "asked of a type that always has it or `ViaError`"),
    ("ViaError", "asked of a type that always has it or `ViaResult`"),
    ("ViaResult", "asked of a type that always has it or `ViaValue`"),
    (
        "ErrorKind",
        "of the runtime: its four types have it; `ToolError`, which one of them asks for, has a message",
    ),
    ("ViaValue", "asked of a type that always has it"),
    ("ViaEq", "asked of a type that always has it or `ViaText`"),
    ("ViaText", "asked of a type that always has it"),
    ("KeyText", "of the engine: the derive and the runtime implement it, no bound of a user's asks for it"),
    ("WriteJson", "of the engine: every state has it"),
    ("MemberNames", "of the engine: what the derive writes has it"),
    ("Log", "of the engine: asked of what `Tracking` says"),
    ("Unmet", "no type has it, and the impls that ask for it are never chosen"),
    ("ListedTool", "every `ToolOf` has it, and that one has a message"),
    ("ArgumentOf", "`#[tool]` implements it, and asks for `Argument`, which has a message"),
    ("ReadMembers", "`#[tool]` implements it for its struct"),
    ("WriteInstead", "every type has it; its line is the message about `dyn Agent`"),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn programs() -> BTreeSet<String> {
    fs::read_dir(workspace().join("tests/compile-fail/tests/ui/order"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

fn said(program: &str) -> String {
    let path = workspace().join(format!("tests/compile-fail/tests/ui/{program}.stderr"));
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

#[test]
fn every_rule_has_its_mistake() {
    let named: Vec<&str> = RULES.iter().map(|(code, _)| *code).collect();
    let known: Vec<&str> = OrderRule::ALL.iter().map(|rule| rule.code()).collect();
    assert_eq!(named, known, "one row for each rule, in the order of the verifier's table");
    for (code, guard) in RULES {
        let (Compiler(programs) | Runtime(programs)) = guard;
        assert!(!programs.is_empty(), "{code}");
    }
}

/// The official client has no other messages than those of the rules and of events that are not events.
#[test]
fn every_official_sentence_has_its_mistake() {
    let table = fs::read_to_string(workspace().join("tests/oracle/codes.mjs")).unwrap();
    let official: BTreeSet<&str> = table
        .split('"')
        .filter(|text| text.starts_with("V_") && text.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        .collect();
    let rules = RULES.iter().map(|(code, _)| *code).filter(|code| code.starts_with("V_"));
    let never = NEVER_AN_EVENT.iter().map(|(code, programs)| {
        assert!(!programs.is_empty(), "{code}");
        *code
    });
    assert_eq!(rules.chain(never).collect::<BTreeSet<_>>(), official);
}

#[test]
fn every_official_fatal_stream_has_its_mistake() {
    let folder = workspace().join("tests/fixtures/conformance");
    let fatal: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
        .filter(|stream: &serde_json::Value| stream["expect"]["outcome"] == "failed")
        .map(|stream| stream["name"].as_str().unwrap().to_owned())
        .collect();
    let named: BTreeSet<String> = FATAL_STREAMS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(named, fatal);
    println!("mistakes: {} official fatal streams, each with its programs", fatal.len());
}

#[test]
fn every_program_stands_for_something() {
    let rules = RULES.iter().flat_map(|(_, guard)| match guard {
        Compiler(programs) | Runtime(programs) => *programs,
    });
    let streams = FATAL_STREAMS.iter().flat_map(|(_, programs)| *programs);
    let never = NEVER_AN_EVENT.iter().flat_map(|(_, programs)| *programs);
    let named: BTreeSet<String> =
        rules.chain(streams).chain(never).chain(BEYOND).map(|program| (*program).to_owned()).collect();
    assert_eq!(named, programs(), "left: what the tables name, right: tests/ui/order/*.rs");
    let at_run_time = RULES.iter().filter(|(_, guard)| matches!(guard, Runtime(_))).count();
    println!(
        "mistakes: {} rules, {at_run_time} of them kept at run time too; {} programs that do not compile",
        RULES.len(),
        named.len()
    );
}

#[test]
fn one_mistake_is_one_error() {
    let more: BTreeMap<&str, usize> =
        MORE_THAN_ONE_ERROR.iter().map(|(program, count, _)| (*program, *count)).collect();
    for program in programs() {
        let text = said(&format!("order/{program}"));
        let errors =
            text.lines().filter(|line| line.starts_with("error[") || line.starts_with("error:")).count();
        assert_eq!(errors, more.get(&*program).copied().unwrap_or(1), "{program}:\n{text}");
    }
}

/// The message about a missing impl is ours, not the compiler's.
#[test]
fn every_trait_a_user_can_fail_to_implement_has_a_message() {
    let exempt: BTreeSet<&str> = NOBODY_IMPLEMENTS.iter().map(|(name, _)| *name).collect();
    let mut found = 0;
    let mut folders = vec![workspace().join("agui-runtime/core/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            for (at, _) in text.match_indices("pub trait ") {
                let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                if !text[line_start..at].trim().is_empty() {
                    continue;
                }
                let name: String =
                    text[at + 10..].chars().take_while(|letter| letter.is_alphanumeric()).collect();
                found += 1;
                // The attributes and comments directly above it, without a blank line between.
                let above = text[..line_start].rsplit("\n\n").next().unwrap_or_default();
                let has_message = above.contains("#[diagnostic::on_unimplemented(");
                assert!(
                    has_message != exempt.contains(&*name),
                    "{}: `{name}` needs a message, or a reason for having none",
                    path.display()
                );
            }
        }
    }
    assert!(found > 20, "only {found} traits found");
}

const CLAIM: &str = "No safe Rust program can put an illegal AG-UI 1.0 sequence on the wire; the mistakes an engineer really makes do \
                     not compile, and the compiler's first line names the protocol rule.";

/// The codes of errors whose headline is rustc's own, because stable Rust cannot change it: moved and borrowed values,
/// other types, missing arguments. Errors about values built by hand, or values that outlive their run, have no code.
const IN_RUSTCS_WORDS: &[&str] = &["E0382", "E0499", "E0502", "E0505", "E0521", "E0308", "E0061"];
const WITHOUT_A_CODE: &[&str] = &[
    "finish_of_another_run",
    "run_made_by_hand",
    "parent_receipt_made_by_hand",
    "tasks_beyond_the_end_of_the_run",
    "run_kept_beyond_its_end",
];

/// Every other headline is ours.
#[test]
fn headlines_name_the_rule() {
    let (mut ours, mut rustcs) = (0, 0);
    for program in programs() {
        let text = said(&format!("order/{program}"));
        let first = text.lines().next().unwrap_or_default();
        match first.strip_prefix("error[").and_then(|rest| rest.split_once("]: ")) {
            Some(("E0277", headline)) => {
                let is_rustcs = ["the trait bound", "the type", "cannot ", "can't "].iter();
                let is_rustcs = is_rustcs.clone().any(|words| headline.starts_with(words));
                assert!(!is_rustcs || NO_RULE.contains(&&*program), "{program}: {headline}");
                ours += 1;
            }
            Some((code, _)) => {
                assert!(IN_RUSTCS_WORDS.contains(&code), "{program}: {first}");
                rustcs += 1;
            }
            None => {
                assert!(WITHOUT_A_CODE.contains(&&*program), "{program}: {first}");
                rustcs += 1;
            }
        }
    }
    println!("mistakes: {ours} headlines in the words of the protocol, {rustcs} in rustc's own");
}

/// `null` is no rule of the order.
const NO_RULE: &[&str] = &["null_for_something_absent"];

/// One row of the table: the mistake, its source, the line of code, the headline, the program.
fn rows(text: &str, is_link: bool) -> Vec<[String; 5]> {
    let is_row = |line: &&str| if is_link { line.ends_with(".stderr) |") } else { line.ends_with("` |") };
    text.lines()
        .filter(is_row)
        .map(|row| {
            // A cell may be empty, and a closure contains bars.
            let row = row.replace("| |", "|  |").replace("\\|", "\0");
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let (headline, program) = match (is_link, cells.as_slice()) {
                (true, [_, _, _, link]) => {
                    let (headline, path) = link.trim_matches(['[', ')']).split_once("](").unwrap();
                    (
                        headline,
                        path.strip_prefix("tests/compile-fail/tests/ui/")
                            .unwrap()
                            .strip_suffix(".stderr")
                            .unwrap(),
                    )
                }
                (false, [_, _, _, headline, program]) => (*headline, program.trim_matches('`')),
                _ => panic!("{row}"),
            };
            let code = cells[2].trim_matches('`').replace('\0', "|");
            [cells[0].to_owned(), cells[1].to_owned(), code, headline.to_owned(), program.to_owned()]
        })
        .collect()
}

/// Removes the line ends.
fn running(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_documentation_quotes_the_compiler() {
    let text = fs::read_to_string(workspace().join("agui-runtime/src/docs/ordering.md")).unwrap();
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    for text in [&text, &readme] {
        let text = running(text);
        assert!(text.contains(CLAIM));
        assert!(text.contains("that line is rustc's own"), "and the headlines that name no rule");
    }
    let running = running(&text);
    assert!(
        running.contains("pydantic-ai 6546, 4962") && running.contains("ag-ui 2463"),
        "mistakes that need no compiler"
    );
    let table = rows(&text, false);
    let excerpt = rows(&readme, true);
    assert!(excerpt.len() >= 3, "only {} mistakes in the README", excerpt.len());
    for row in excerpt {
        assert!(table.contains(&row), "a row of the README that is not in ordering.md: {row:?}");
    }
    assert!(table.len() > 15, "only {} mistakes", table.len());
    for [_, _, code, headline, program] in table {
        let said = said(&program);
        let first = said.lines().next().unwrap_or_default();
        assert!(
            first.ends_with(&format!(": {headline}")),
            "{program}: `{headline}` is not what it says: {first}"
        );
        let source =
            fs::read_to_string(workspace().join(format!("tests/compile-fail/tests/ui/{program}.rs")))
                .unwrap();
        for part in code.split("; ") {
            let part = part.trim_end_matches(';').split("{ ..").next().unwrap_or_default();
            assert!(source.contains(part.trim()), "{program}.rs has no `{part}`");
        }
    }
}
