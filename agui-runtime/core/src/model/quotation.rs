//! Provider texts for the log, without text quoted from the prompt.

use std::collections::HashSet;

use super::private::is_private_prompt;
use super::prompt::{AssistantPart, Prompt, PromptMessage};
use crate::protocol::{Content, ContentPart};

/// The length, in characters, from which a shared run of text counts as a quotation.
const QUOTED: usize = 12;
/// The shortest prompt text that is removed if a reason contains all of it.
const SHORTEST: usize = 4;

/// Returns a reason with `…` in place of prompt text; `…` alone if the reason could quote a private tool in another form.
pub fn without_prompt(reason: &str, prompt: &Prompt) -> String {
    if is_private_prompt(prompt) {
        return "…".to_owned();
    }
    let letters: Vec<char> = reason.chars().collect();
    let windows: HashSet<&[char]> = letters.windows(QUOTED).collect();
    let mut quoted: HashSet<Vec<char>> = HashSet::new();
    each_text(prompt, &mut |text| {
        let text: Vec<char> = text.trim().chars().collect();
        if (SHORTEST..QUOTED).contains(&text.len()) {
            quoted.insert(text);
        } else {
            quoted
                .extend(text.windows(QUOTED).filter(|window| windows.contains(window)).map(<[char]>::to_vec));
        }
    });
    let mut is_quoted = vec![false; letters.len()];
    for text in &quoted {
        for (at, window) in letters.windows(text.len()).enumerate() {
            if window == text {
                is_quoted.iter_mut().skip(at).take(text.len()).for_each(|letter| *letter = true);
            }
        }
    }
    let mut kept = String::with_capacity(reason.len());
    let mut before = false;
    for (letter, left_out) in letters.into_iter().zip(is_quoted) {
        match left_out {
            false => kept.push(letter),
            true if !before => kept.push('…'),
            true => {}
        }
        before = left_out;
    }
    kept
}

fn each_text(prompt: &Prompt, read: &mut impl FnMut(&str)) {
    prompt.instructions.iter().for_each(|text| read(text));
    prompt.context.iter().for_each(|context| read(&context.value));
    for message in &prompt.messages {
        match message {
            PromptMessage::System(text) => read(text),
            PromptMessage::User(parts) => parts.iter().for_each(|part| content_part(part, read)),
            PromptMessage::Assistant(parts) => parts.iter().for_each(|part| match part {
                AssistantPart::Text { text, .. } | AssistantPart::Reasoning { text, .. } => read(text),
                AssistantPart::Call(call) => read(&call.arguments),
            }),
            PromptMessage::Tools(answers) => answers.iter().for_each(|answer| match &answer.content {
                Content::Text(text) => read(text),
                Content::Parts(parts) => parts.iter().for_each(|part| content_part(part, read)),
            }),
        }
    }
}

fn content_part(part: &ContentPart, read: &mut impl FnMut(&str)) {
    if let ContentPart::Text(part) = part {
        read(&part.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolResult;

    #[test]
    fn quotations_of_the_prompt_are_left_out() {
        let prompt = Prompt::new([
            PromptMessage::user("My card is 4711 0815, please pay."),
            PromptMessage::Tools(vec![ToolResult::new("1", "read", "PIN 99")]),
            PromptMessage::user("the"),
        ]);
        for (reason, kept) in [
            ("the input 'My card is 4711 0815, please' is bad", "the input '…' is bad"),
            ("code 400: PIN 99 is refused", "code 400: … is refused"),
            ("the context is too long", "the context is too long"),
            ("short", "short"),
            ("", ""),
        ] {
            assert_eq!(without_prompt(reason, &prompt), kept);
        }
    }

    #[test]
    fn a_long_prompt_takes_little_time() {
        let long = "abcdefghij ".repeat(100_000);
        let reason = format!("it is {} bad", "abcdefghij ".repeat(40));
        assert_eq!(without_prompt(&reason, &Prompt::new([PromptMessage::user(long)])), "it is… bad");
    }
}
