//! The floors of the runtime: a module imports only from floors below its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use agui_tests::outside::workspace_dir;

use crate::source::{CRATES, Place, Sources};

/// The modules of the crate, the lowest first. Modules of one floor do not know each other.
const FLOORS: [&[&str]; 10] = [
    &["bundle", "causes", "date", "hex", "jitter", "protocol", "quoted", "random", "tls"],
    &["json", "manifest", "order", "stderr_log", "telemetry", "webhook", "wire"],
    &["receive", "state"],
    &["kernel"],
    &["consent"],
    &["emit"],
    &["agent"],
    &["a2ui", "dialect", "drafts", "model", "thread"],
    &["a2a", "mcp", "provider"],
    &["client", "server", "testing"],
];

/// Tables of contents, which only hand on names, and the guide, which has only text.
const FACADES: [&str; 11] = [
    "__private",
    "bounds",
    "events",
    "future",
    "guide",
    "http",
    "interrupts",
    "lib",
    "prelude",
    "runs",
    "tools",
];

/// Macros of `macro_rules!` are exported at the root alone.
const MACROS: [&str; 1] = ["assert_events"];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// Returns the wrong imports of these files, each with file and line.
fn upward(sources: &Sources) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources.all.iter().filter(|source| !source.is_test) {
        let Some(own) = source.module.first().filter(|own| !FACADES.contains(&own.as_str())) else {
            continue;
        };
        let Some(at) = floor(own) else {
            wrong.push(format!("{}: `{own}` has no floor", source.file));
            continue;
        };
        for named in &source.named {
            let Some(module) = named.path.first().filter(|module| *module != own) else { continue };
            if MACROS.contains(&module.as_str()) {
                continue;
            }
            let place = format!("{}:{}", source.file, named.line);
            match floor(module) {
                Some(below) if below < at => {}
                Some(_) => {
                    wrong.push(format!("{place} imports `{module}`, which is not on a floor below `{own}`"));
                }
                None => {
                    wrong.push(format!("{place} names `{module}` of the root: name the module that has it"));
                }
            }
        }
    }
    wrong
}

/// The modules whose parts may make a circle: in `state::engine`, `Node::sync` writes into a `Patch`, and a `Patch` writes
/// nodes, with lists and their moves as parts of the same pass.
const KNOTS: [&str; 1] = ["state::engine"];

/// The circles of files and folders beside each other that contain several folders, each import of them.
fn circles(sources: &Sources) -> Vec<String> {
    let folders: BTreeSet<&[String]> = sources
        .all
        .iter()
        .filter(|source| !source.is_test)
        .flat_map(|source| (1..source.module.len()).map(|length| &source.module[..length]))
        .collect();
    let mut edges: BTreeMap<(Place, Place), String> = BTreeMap::new();
    for source in sources.all.iter().filter(|source| !source.is_test) {
        for named in &source.named {
            let there = sources.resolve(&named.path);
            let shared = source.module.iter().zip(&there).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (source.module.get(..=shared), there.get(..=shared)) else {
                continue;
            };
            let place = format!("{}:{}", source.file, named.line);
            edges.entry((from.to_vec(), to.to_vec())).or_insert(place);
        }
    }
    let mut next_to: BTreeMap<&Place, Vec<&Place>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        next_to.entry(from).or_default().push(to);
    }
    let mut reached: BTreeMap<&Place, BTreeSet<&Place>> = BTreeMap::new();
    for from in next_to.keys().copied() {
        let seen = reached.entry(from).or_default();
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            let there = next_to.get(at).into_iter().flatten().copied();
            next.extend(there.filter(|there| seen.insert(there)));
        }
    }
    let is_back = |from: &Place, to: &Place| reached.get(to).is_some_and(|there| there.contains(from));
    let closed = edges.iter().filter(|((from, to), _)| {
        let is_kept = KNOTS.contains(&from[..from.len() - 1].join("::").as_str());
        let circle = || reached[from].iter().filter(|to| is_back(from, to));
        is_back(from, to) && !is_kept && circle().filter(|part| folders.contains(part.as_slice())).count() > 1
    });
    closed
        .map(|((from, to), place)| {
            format!("{place}: `{}` and `{}` need each other", from.join("::"), to.join("::"))
        })
        .collect()
}

fn runtime() -> PathBuf {
    workspace_dir().join("agui-runtime/src")
}

#[test]
fn modules_import_only_from_floors_below() {
    let sources = Sources::of_crate("agui-runtime");
    assert!(sources.all.len() > 250, "only {} files: are they somewhere else?", sources.all.len());
    let imports: usize = sources.all.iter().map(|source| source.named.len()).sum();
    assert!(imports > 1500, "only {imports} imports found");
    let wrong = upward(sources);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_has_a_floor() {
    let mut modules = BTreeSet::new();
    for entry in fs::read_dir(runtime()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        modules.insert(name.trim_end_matches(".rs").to_owned());
    }
    modules.remove("docs");
    let known: BTreeSet<String> =
        FLOORS.iter().flat_map(|floor| floor.iter()).chain(&FACADES).map(|name| (*name).to_owned()).collect();
    assert_eq!(modules, known);
}

#[test]
fn folders_beside_each_other_make_no_circle() {
    for name in CRATES {
        let circles = circles(Sources::of_crate(name));
        assert!(circles.is_empty(), "{name}:\n{}", circles.join("\n"));
    }
}

fn planted(files: &[(&str, &str)]) -> Sources {
    Sources::of(files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect())
}

#[test]
fn an_upward_import_is_found_however_it_is_written() {
    let cases = [
        ("use crate::emit::Emit;", "1 emit"),
        ("\n\nuse super::super::agent::Run;", "3 agent"),
        ("use crate::{protocol::Event, kernel::{Hub, Peer}, server};", "1 server"),
        ("fn f() -> crate::agent::Stop { todo!() }", "1 agent"),
        ("use agui_runtime::testing::run;", "1 testing"),
        ("mod inner {\n    use super::super::super::emit::Emit;\n}\nuse super::hub::Hub;", "2 emit"),
        ("pub(in crate::kernel) fn f() {}\nconst A: &str = r#\"\"#; use crate::client;", "2 client"),
    ];
    for (text, expected) in cases {
        let wrong = upward(&planted(&[("kernel/end.rs", text)]));
        let (line, module) = expected.split_once(' ').unwrap();
        assert_eq!(
            wrong,
            [format!("kernel/end.rs:{line} imports `{module}`, which is not on a floor below `kernel`")],
            "{text}"
        );
    }
    let wrong =
        upward(&planted(&[("receive/mod.rs", "use crate::Run;"), ("state/x.rs", "use crate::receive;")]));
    assert_eq!(
        wrong,
        [
            "receive/mod.rs:1 names `Run` of the root: name the module that has it",
            "state/x.rs:1 imports `receive`, which is not on a floor below `state`",
        ]
    );
    assert_eq!(upward(&planted(&[("cellar/mod.rs", "")])), ["cellar/mod.rs: `cellar` has no floor"]);
}

#[test]
fn text_and_tests_import_nothing() {
    let text = "// use crate::agent::Run;\n/* use crate::agent */\nconst A: &str = \"crate::agent\";\n\
        const B: char = '\"';\n#[cfg(test)]\nmod tests { use crate::agent::Run; }\n#[cfg(test)]\nmod steps;";
    let sources = planted(&[("emit/mod.rs", text), ("emit/steps.rs", "use crate::agent::Run;")]);
    assert_eq!(upward(&sources), [""; 0]);
}

#[test]
fn a_circle_is_found_behind_a_facade() {
    let mut files = vec![
        ("emit/mod.rs", "mod text; mod tool; mod state;\npub use tool::Call;"),
        ("emit/text/mod.rs", "use crate::emit::Call;"),
        ("emit/text/a.rs", ""),
        ("emit/tool/mod.rs", "pub struct Call;"),
        ("emit/tool/a.rs", "use super::super::state::State;"),
        ("emit/state/mod.rs", "pub struct State;"),
        ("emit/state/a.rs", ""),
    ];
    assert_eq!(circles(&planted(&files)), [""; 0]);
    files[6].1 = "use super::super::text;";
    let found = circles(&planted(&files));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("emit/state/a.rs:1: `emit::state` and `emit::text`"), "{found:?}");
}

#[test]
fn a_circle_is_found_through_a_file_and_in_a_macro() {
    let mut files = vec![
        ("wide/mod.rs", "mod a; mod b; mod both;"),
        ("wide/a/mod.rs", "use crate::wide::both::Both;"),
        ("wide/a/x.rs", ""),
        ("wide/b/mod.rs", "pub struct B;"),
        ("wide/b/x.rs", ""),
        ("wide/both.rs", "use super::a; use super::b::B; pub struct Both;"),
    ];
    assert_eq!(circles(&planted(&files)), [""; 0], "a file and one folder are one module");
    files[3].1 = "pub struct B; macro_rules! both { () => { $crate::wide::both::Both } }";
    let found = circles(&planted(&files));
    assert!(found.iter().any(|line| line.contains("`wide::b` and `wide::both`")), "{found:?}");
}
