//! A hundred mistakes that users make, each of them one error that says what is wrong and what to write instead.
//!
//! A mistake is one small file in `tests/ui/advice`, with the headline and a part of the advice in its first lines. The files
//! are modules of a few programs, because a program for each would cost the compiler a hundred starts: `early.rs` and
//! `late.rs` have the mistakes that the compiler finds before or after all others, `typed.rs` the rest. [`ui`](../ui.rs)
//! compares the whole messages, and this test reads them.

mod said;

use std::collections::{BTreeMap, BTreeSet};

use said::{
    KINDS, MORE_THAN_ONE, Message, PROGRAMS, errors, faults, folder, mistakes, modules, read, stated,
};

/// Mistakes whose message does not say what to write, because rustc has no hook there.
const WITHOUT_ADVICE: &[(&str, &str)] = &[
    (
        "client/events_in_a_plain_loop",
        "`for` reports in its own words whatever type is no iterator, also where an impl asks for a trait of ours",
    ),
    ("helpers/borrows_the_run_twice", "the borrow checker shows the lines of the user alone"),
    (
        "helpers/spawns_with_the_run",
        "the borrow checker shows the lines of the user alone; the body of an agent or a tool is seen by a macro, which says it",
    ),
    (
        "interrupt/answer_taken_as_a_bool",
        "`if` asks for a `bool` by itself, and rustc proposes a method of `Option`",
    ),
    ("order/finish_with_an_open_message", "the borrow checker shows the lines of the user alone"),
    ("order/messages_restated_in_a_message", "the borrow checker shows the lines of the user alone"),
];

/// Mistakes that say what to write below a headline of rustc that would fit any mistake, with the reason for it.
const GENERAL_HEADLINE: &[(&str, &str)] = &[
    (
        "client/started_without_arc",
        "a parameter of one type is no bound; rustc names both types below and proposes the conversion",
    ),
    (
        "helpers/takes_emit_by_value",
        "the parameter is of the user's function, which no macro sees; rustc names both types below",
    ),
    ("server/limits_as_a_number", "a parameter of one type is no bound; rustc names both types below"),
    (
        "state/snapshot_of_another_type",
        "a parameter of one type is no bound, and a bound in its place would refuse `&Box<State>`; rustc names both types below",
    ),
];

/// The beginnings of headlines that do not name the mistake.
const GENERAL: [&str; 5] = [
    "`?` operator has incompatible types",
    "borrowed data escapes",
    "cannot borrow",
    "lifetime may not live long enough",
    "mismatched types",
];

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

/// The errors of the programs, by the mistake that they are about; those about none are under their place.
fn messages() -> BTreeMap<String, Vec<Message>> {
    let mut messages: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for program in PROGRAMS {
        for error in errors(&read(&folder().join(format!("{program}.stderr")))) {
            let place = error.0.iter().find_map(|line| line.trim_start().strip_prefix("--> "));
            let file = place.and_then(|place| place.split(".rs").next()).unwrap_or_default();
            let file = file.trim_start_matches("tests/ui/advice/").to_owned();
            messages.entry(file.clone()).or_default().push(error.about(&file));
        }
    }
    messages
}

#[test]
fn every_mistake_is_one_error_that_says_what_to_write() {
    let messages = messages();
    let mistakes = mistakes();
    let beside: Vec<_> = messages.keys().filter(|place| !mistakes.contains(*place)).collect();
    assert!(beside.is_empty(), "errors that are about no mistake, or at another place: {beside:?}");
    let mut wrong = Vec::new();
    for mistake in &mistakes {
        let errors = messages.get(mistake).map_or(&[] as &[Message], Vec::as_slice);
        wrong.extend(faults(mistake, errors));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("advice: {} mistakes, {} of them without advice", mistakes.len(), WITHOUT_ADVICE.len());
}

#[test]
fn no_message_names_items_that_users_cannot_write() {
    for program in PROGRAMS {
        let text = read(&folder().join(format!("{program}.stderr")));
        for private in ["agui_runtime::__private", "agui_runtime_macros::"] {
            assert!(!text.contains(private), "{program}.stderr has {private}");
        }
    }
}

#[test]
fn exceptions_are_needed_and_few() {
    let mistakes = mistakes();
    let more = MORE_THAN_ONE.iter().map(|(mistake, _, reason)| (*mistake, *reason));
    for (mistake, reason) in WITHOUT_ADVICE.iter().chain(GENERAL_HEADLINE).copied().chain(more) {
        assert!(mistakes.contains(mistake), "{mistake} is no mistake");
        assert!(reason.len() > 20, "{mistake}: {reason}");
    }
    let named =
        |list: &[(&str, &str)]| list.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>();
    let (silent, advised): (BTreeSet<_>, BTreeSet<_>) =
        mistakes.into_iter().partition(|mistake| stated(mistake, "write").is_none());
    assert_eq!(
        named(WITHOUT_ADVICE),
        silent,
        "left: the list, right: the mistakes without a line `//! write: …`"
    );
    let is_general = |mistake: &String| {
        let headline = stated(mistake, "error").unwrap_or_default();
        GENERAL.iter().any(|words| headline.starts_with(words))
    };
    let general: BTreeSet<_> = advised.into_iter().filter(is_general).collect();
    assert_eq!(named(GENERAL_HEADLINE), general, "left: the list, right: the mistakes with such a headline");
    assert!(WITHOUT_ADVICE.len() < 10);
}
