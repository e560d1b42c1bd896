//! The words that are not used, each with what to write instead.

use super::text::Prose;

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

/// A sentence or a name that breaks a rule.
#[derive(Debug, PartialEq)]
pub struct Finding {
    pub line: usize,
    pub found: String,
    pub instead: &'static str,
}

/// The sentences of `prose` that break a rule, in order. With `messages`, the text in code counts too.
pub fn findings(prose: &Prose, messages: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for paragraph in &prose.paragraphs {
        let text = paragraph.text.as_str();
        let stops = [". ", "? "].iter().flat_map(|stop| text.match_indices(stop));
        let mut starts: Vec<usize> = stops.map(|(at, stop)| at + stop.len()).collect();
        starts.push(0);
        starts.sort_unstable();
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(text.len());
            let sentence = text.get(*start..end).unwrap_or_default();
            let opener = opener(sentence, index == 0).map(|instead| (0, instead));
            if let Some((at, instead)) = opener.or_else(|| words(sentence).next()) {
                let found = sentence.get(at..).unwrap_or_default().chars().take(60).collect();
                findings.push(Finding { line: paragraph.line(start + at), found, instead });
            }
        }
    }
    for line in &prose.code {
        let code = line.text.as_str();
        let name = code.split_once("fn ").map_or("", |(_, rest)| rest.split('(').next().unwrap_or_default());
        let spoken = name.replace('_', " ");
        // `of_parts` is the name of a constructor.
        let opens = if name.contains('_') && !name.starts_with("of_") { opener(&spoken, true) } else { None };
        if let Some(instead) = opens.or_else(|| words(&spoken).next().map(|(_, instead)| instead)) {
            findings.push(Finding { line: line.line(0), found: name.to_owned(), instead });
        }
        let (first, text) = text_in(code).filter(|_| messages).unwrap_or_default();
        if let Some((at, instead)) = words(text).next() {
            findings.push(Finding { line: line.line(first + at), found: code.trim().to_owned(), instead });
        }
    }
    findings.sort_by_key(|finding| finding.line);
    findings
}

/// The advice about the word that begins `sentence`. Without `any_case` a word in lower case is not the beginning of one.
fn opener(sentence: &str, any_case: bool) -> Option<&'static str> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    OPENERS.iter().find_map(|(word, instead)| {
        let head = sentence.get(..word.len())?;
        let same = if any_case { head.eq_ignore_ascii_case(word) } else { head == *word };
        let ends = sentence.get(word.len()..)?.starts_with([' ', '\'', ',']);
        (same && ends).then_some(*instead)
    })
}

/// The places of the words in `text` that stand nowhere, with the advice about each.
fn words(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let lower = text.to_ascii_lowercase();
    // Most lines of code have no name and no text.
    let wanted: &[_] = if text.is_empty() { &[] } else { &WORDS };
    wanted.iter().flat_map(move |(word, instead)| {
        let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let found: Vec<_> = lower
            .match_indices(word)
            .filter(|(at, _)| {
                let before = lower.get(..*at).and_then(|text| text.chars().next_back());
                let after = lower.get(at + word.len()..).and_then(|text| text.chars().next());
                let is_plain =
                    word.ends_with("none") && lower.get(..*at).is_some_and(|text| text.ends_with("there "));
                edge(before) && edge(after) && !is_plain
            })
            .map(|(at, _)| (at, *instead))
            .collect();
        found
    })
}

/// The part of a line of code from its first quote to its last, and its place.
fn text_in(code: &str) -> Option<(usize, &str)> {
    let (first, last) = (code.find('"')?, code.rfind('"')?);
    Some((first, code.get(first..last)?))
}
