//! The questions that a terminal user answers.

use std::io::BufRead;

use super::NewError;
use super::choice::{PageKind, ProjectParts};

/// Asks for each project part. An invalid answer repeats the question.
pub(super) fn ask(input: &mut dyn BufRead, say: &mut dyn FnMut(&str)) -> Result<ProjectParts, NewError> {
    let page = [
        ("none", PageKind::None),
        ("plain", PageKind::Plain),
        ("react", PageKind::React),
        ("copilotkit", PageKind::CopilotKit),
    ];
    let bool = [("no", false), ("yes", true)];
    Ok(ProjectParts {
        page: answer(
            "A page: none, plain (TypeScript without a framework), react, or copilotkit (React with CopilotKit)?",
            page,
            input,
            say,
        )?,
        python: answer("A client in Python: no, or yes?", bool, input, say)?,
        threads: answer(
            "Conversations that are stored in a file, with SQLite: no, or yes?",
            bool,
            input,
            say,
        )?,
    })
}

/// Asks until the answer is a prefix of a word in the list; an empty line selects the first word.
fn answer<T: Copy, const N: usize>(
    question: &str,
    words: [(&str, T); N],
    input: &mut dyn BufRead,
    say: &mut dyn FnMut(&str),
) -> Result<T, NewError> {
    let default = words.first().map_or("", |(word, _)| word);
    loop {
        say(&format!("{question} [{default}] "));
        let mut line = String::new();
        if input.read_line(&mut line).map_err(NewError::Answer)? == 0 {
            return Err(NewError::NoAnswer);
        }
        let given = line.trim().to_lowercase();
        if let Some((_, meant)) = words.iter().find(|(word, _)| word.starts_with(&given)) {
            return Ok(*meant);
        }
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        say(&format!("`{given}` is not an answer here; there are: {}\n", words.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the choice for these input lines, and all printed text.
    fn asked(lines: &str) -> (Result<ProjectParts, NewError>, String) {
        let mut said = String::new();
        let choice = ask(&mut lines.as_bytes(), &mut |text| said.push_str(text));
        (choice, said)
    }

    #[test]
    fn empty_lines_choose_the_agent_alone() {
        let (choice, said) = asked("\n\n\n");
        assert_eq!(choice.unwrap(), ProjectParts::default());
        assert_eq!(said.matches('?').count(), 3, "{said}");
    }

    #[test]
    fn words_and_their_beginnings_are_understood() {
        let (choice, _) = asked("R\nyes\n y \n");
        assert_eq!(choice.unwrap(), ProjectParts { page: PageKind::React, python: true, threads: true });
        let (choice, _) = asked("copilotkit\n\n\n");
        assert_eq!(choice.unwrap().page, PageKind::CopilotKit);
        let (choice, said) = asked("vue\nplain\nmaybe\nno\nYES\n");
        assert_eq!(choice.unwrap(), ProjectParts { page: PageKind::Plain, python: false, threads: true });
        assert!(
            said.contains("`vue` is not an answer here; there are: none, plain, react, copilotkit\n"),
            "{said}"
        );
        assert!(said.contains("`maybe` is not an answer here; there are: no, yes\n"), "{said}");
    }

    #[test]
    fn an_end_of_the_input_is_an_error() {
        assert!(matches!(asked("plain\n").0, Err(NewError::NoAnswer)));
        let mut broken: &[u8] = &[0xff, b'\n'];
        assert!(matches!(ask(&mut broken, &mut |_| {}), Err(NewError::Answer(_))));
    }
}
