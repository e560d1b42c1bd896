//! Docs, comments, messages and test names are plain English: no sentence begins with "What" or "Whether", none speaks of
//! "nobody" and "whom". A finding names the file and the line, and says what to write instead.

use std::fs;

use agui_programs::workspace_dir;

use crate::files;

/// Folders and files whose text is not ours: recorded, copied from other projects, generated, or about these words.
const FOREIGN: [&str; 4] = [
    "tests/fixtures/",
    "agui-codegen/tests/foreign/",
    "tests/src/wire/ag_ui.rs",
    "tests/programs/tests/repository/prose.rs",
];

/// Words that begin no sentence, unless it is a question.
const OPENERS: [(&str, &str); 22] = [
    ("How many", "write \"The number of …\""),
    ("How much", "name the quantity: \"The size of …\", \"The time …\""),
    ("How long", "write \"The time …\""),
    ("How often", "write \"The number of times …\""),
    ("Nobody", "name the subject: the client, the caller, the agent"),
    ("Somebody", "name the subject: the client, the caller, the agent"),
    ("Of", "begin with the subject"),
    ("One that", "name the thing: \"A call that …\""),
    ("One whose", "name the thing: \"A call whose …\""),
    ("One with", "name the thing: \"A call with …\""),
    ("One without", "name the thing: \"A call without …\""),
    ("So many", "write \"The limit of …\" or \"At most …\""),
    ("So much", "write \"The limit of …\" or \"At most …\""),
    ("So long", "write \"The time …\" or \"At most …\""),
    ("That of", "name the thing: \"The id of …\""),
    ("That which", "name the thing"),
    ("Those", "name the things: \"The events that …\""),
    ("What", "name the thing, or begin with a verb: \"Returns …\""),
    ("Whether", "write \"True if …\" or \"Returns true if …\""),
    ("Whom", "name the person"),
    ("Whose", "name the owner"),
    ("Who", "name the subject: the client, the caller, the agent"),
];

/// Words that stand nowhere in docs, comments and messages.
const WORDS: [(&str, &str); 33] = [
    ("nobody", "name the subject, or write \"no client\", \"no task\""),
    ("somebody", "name the subject: a client, a caller"),
    ("whom", "name the person, or turn the sentence round"),
    ("is none", "write \"is not a …\" or \"is missing\""),
    ("are none", "write \"are missing\" or \"there are no …\""),
    ("of whose", "turn the sentence round"),
    ("those who", "name the people: \"clients that …\""),
    ("that which", "name the thing"),
    ("whoever", "name the subject: the client, the caller, the agent"),
    ("everybody", "name them: all clients, all callers"),
    ("anybody", "name the subject: a client, a caller"),
    ("no one", "write \"no client\", \"no caller\", \"no task\""),
    ("one that is", "name the thing"),
    ("is told", "write \"gets\", \"learns\", or name the call or the message that says it"),
    ("are told", "write \"get\", \"learn\", or name the call or the message that says it"),
    ("be told", "write \"get\", \"learn\", or name the call or the message that says it"),
    ("is said to", "say who says it, and where"),
    ("so many", "write the number, or \"`limit` records\""),
    ("so long ago", "write the time"),
    ("from before 1.0", "write \"legacy client\""),
    ("legacy peer", "write \"legacy client\""),
    ("legacy peers", "write \"legacy clients\""),
    ("client before 1.0", "write \"legacy client\""),
    ("clients before 1.0", "write \"legacy clients\""),
    (
        "old client",
        "write \"legacy client\", or \"existing client\" for one that was generated before a change",
    ),
    (
        "old clients",
        "write \"legacy clients\", or \"existing clients\" for those that were generated before a change",
    ),
    ("older client", "write \"legacy client\""),
    ("older clients", "write \"legacy clients\""),
    ("kept thread", "write \"stored thread\""),
    ("kept threads", "write \"stored threads\""),
    ("keeps threads", "write \"stores threads\""),
    ("keeps no threads", "write \"stores no threads\""),
    ("for want of", "write \"because there is no …\""),
];

/// Markers of comments and of items in lists. A line of Markdown has none.
const MARKERS: [&str; 9] = ["///", "//!", "//", "/**", "\"\"\"", "* ", "- ", "# ", "| "];

/// The text of a line without the marker of its comment, and true if it is one. In Markdown every line is.
fn comment(line: &str, is_markdown: bool) -> Option<&str> {
    let text = line.trim_start();
    let marked = MARKERS.iter().find_map(|marker| text.strip_prefix(marker));
    marked.or(is_markdown.then_some(text)).map(str::trim)
}

/// The advice about a word that begins the sentence, unless it is a question, in this text or in `after`.
fn opener(sentence: &str, after: &str) -> Option<&'static str> {
    let found = OPENERS
        .iter()
        .find(|(word, _)| sentence.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\'', ','])));
    let asks = || {
        let mut ends = sentence.chars().chain(after.chars()).filter(|c| ['.', '?', '`'].contains(c));
        ends.next() == Some('?')
    };
    found.filter(|_| !asks()).map(|(_, instead)| *instead)
}

/// The advice about one of these words in `text`.
fn word(words: &[(&str, &'static str)], text: &str) -> Option<&'static str> {
    if words.is_empty() || text.is_empty() {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let found = words.iter().find(|(word, _)| {
        text.match_indices(word).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            let is_plain = word.ends_with("none") && before.ends_with("there ");
            !before.ends_with(is_of_name) && !after.starts_with(is_of_name) && !is_plain
        })
    });
    found.map(|(_, instead)| *instead)
}

/// The findings of a file: numbers of lines, and what to write instead. In code only names of functions and, with `messages`,
/// texts count.
fn findings(source: &str, is_markdown: bool, messages: bool) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    let (mut is_fenced, mut begins, mut goes_on) = (false, true, false);
    let lower = source.to_ascii_lowercase().replace('_', " ");
    // Few files have any of the words; looking for each in each line takes a while.
    let wanted: Vec<_> = WORDS.into_iter().filter(|(word, _)| lower.contains(word)).collect();
    let lines: Vec<_> = source.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let after = lines.get(at + 1).copied().unwrap_or_default();
        let Some(text) = comment(line, is_markdown) else {
            (is_fenced, begins) = (false, true);
            let (code, behind) = line.split_once(" // ").unwrap_or((line, ""));
            let name = code.split_once("fn ").map_or("", |(_, rest)| rest.split('(').next().unwrap());
            let spoken = name.replace('_', " ");
            let first = if goes_on { Some(0) } else { code.find('"') };
            goes_on = messages && first.is_some() && code.ends_with('\\');
            let last = if goes_on { code.len() } else { code.rfind('"').unwrap_or(0) };
            let message =
                first.filter(|_| messages).and_then(|first| code.get(first..last)).unwrap_or_default();
            let advice = [
                word(&wanted, &spoken),
                word(&wanted, behind),
                opener(behind, after),
                word(&wanted, message),
            ];
            found.extend(advice.into_iter().flatten().map(|instead| (at + 1, instead)).next());
            continue;
        };
        if text.starts_with("```") {
            is_fenced = !is_fenced;
        }
        let is_prose = !is_fenced && !text.starts_with('#') && !line.trim_start().starts_with("# ");
        if is_prose {
            let first = opener(text, after).filter(|_| begins);
            let sentences = text.match_indices(". ").map(|(stop, _)| &text[stop + 2..]);
            let later = sentences.filter_map(|sentence| opener(sentence, after));
            let advice = first.into_iter().chain(later).chain(word(&wanted, text)).next();
            found.extend(advice.map(|instead| (at + 1, instead)));
        }
        begins = text.is_empty() || text.ends_with(['.', ':', '?', '|']) || text.starts_with("```");
    }
    found
}

#[test]
fn prose_is_plain_english() {
    let root = workspace_dir();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files(root) {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_ours = !FOREIGN.iter().any(|foreign| name.starts_with(foreign));
        if !is_ours || !["rs", "ts", "tsx", "mjs", "js", "py", "md"].contains(&ending) {
            continue;
        }
        count += 1;
        let messages = name.starts_with("agui-") && name.contains("/src/")
            || ["examples/", "tests/src/bin/"].iter().any(|folder| name.starts_with(folder));
        let source = fs::read_to_string(&path).unwrap();
        let found = findings(&source, ending == "md", messages);
        wrong.extend(found.into_iter().map(|(line, instead)| format!("{name}:{line}: {instead}")));
    }
    assert!(count > 1000, "only {count} files: is the repository somewhere else?");
    assert!(wrong.is_empty(), "{} sentences are not plain English:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn planted_words_are_found() {
    let rust = "//! What this is.\n\n/// Returns it. Those\n/// know nobody.\n/// ```\n/// // What is code is not read.\n/// ```\n\
        fn nobody_comes() {}\nsay(\"the question is none\"); // fine\nlet a = 1; // whom it says so\nsay(\"What is it?\");\n";
    let lines = |found: Vec<(usize, _)>| found.into_iter().map(|(line, _)| line).collect::<Vec<usize>>();
    assert_eq!(lines(findings(rust, false, true)), [1, 4, 8, 9, 10]);
    let markdown = "# What it is\n\nText\nwith somebody.\n\n- Whether it is\n\n| what | Who asks |\n\n```\nnobody\n```\n";
    assert_eq!(lines(findings(markdown, true, false)), [4, 6]);
    let plain = "/// Returns true if the user, who is asked, answers. What does it cost?\n\
        /// The events of those runs, if there are some: there is none that is lost.\nfn somewhat_late() -> Whatever {}\n";
    assert_eq!(findings(plain, false, true), []);
}
