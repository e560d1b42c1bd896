//! CopilotKit's page in older versions: the packages of `tests/node/copilotkit-{version}`.

use std::env;

/// The versions before today's, newest first.
const OLDER: [&str; 2] = ["1.73", "1.72"];

/// True if everything is wanted that takes long.
pub fn all_are_wanted() -> bool {
    env::var("AGUI_COPILOTKIT_PAGES").is_ok_and(|what| what == "all")
}

/// The older versions for a test; the oldest alone in the bounded form.
pub fn oldest() -> &'static [&'static str] {
    if all_are_wanted() { &OLDER } else { &OLDER[1..] }
}

/// The older versions for a test that the bounded form runs with today's alone.
pub fn older_if_wanted() -> &'static [&'static str] {
    if all_are_wanted() {
        return &OLDER;
    }
    println!("AGUI_COPILOTKIT_PAGES=all runs this with the pages of {OLDER:?}");
    &[]
}
