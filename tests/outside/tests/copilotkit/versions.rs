//! CopilotKit's page in older versions: the packages of `tests/node/copilotkit-{version}`.

use std::env;

use agui_tests::outside::{CopilotKit, Missing};

/// The environment variable that chooses pages: `all`.
const VARIABLE: &str = "AGUI_COPILOTKIT_PAGES";

/// The versions before today's, newest first.
const OLDER: [&str; 2] = ["1.73", "1.72"];

/// True if everything is wanted that takes long.
pub fn all_are_wanted() -> bool {
    env::var(VARIABLE).is_ok_and(|what| what == "all")
}

/// The older versions for a test that needs one always: both if all are wanted, and otherwise the oldest alone.
pub fn older() -> &'static [&'static str] {
    if all_are_wanted() { &OLDER } else { &OLDER[1..] }
}

/// The pages for a test, each with a suffix for the names of its files: today's always, and older ones if all are wanted.
///
/// # Errors
/// See [`CopilotKit::ready`].
pub fn todays_and_older() -> Result<Vec<(String, CopilotKit)>, Missing> {
    let mut pages = vec![(String::new(), CopilotKit::ready()?)];
    if all_are_wanted() {
        for version in OLDER {
            pages.push((format!("-{version}"), CopilotKit::older(version)?));
        }
    } else {
        println!("{VARIABLE}=all runs this with the pages of {OLDER:?} too");
    }
    Ok(pages)
}
