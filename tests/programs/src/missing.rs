//! The behaviour of a test when a program it needs is not on the machine.

use std::{env, fmt, io::Write as _};

/// A program that is not on this machine, or is too old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The program, and the version found instead.
    pub what: String,
    /// The way to get it.
    pub how_to_get_it: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.how_to_get_it)
    }
}

impl Missing {
    /// Reports visibly that `test` is skipped; fails the test where skipping is not allowed.
    ///
    /// Tests use it through [`need!`](crate::need).
    pub fn skip(&self, test: &str) {
        let test = test.trim_end_matches("::here").trim_end_matches("::{{closure}}");
        assert!(!required(), "{test} cannot run: {self}");
        // libtest swallows the output that a passing test prints through the macros, but not direct writes.
        let line = format!("SKIPPED {test}: {self}\n");
        let written = std::io::stderr().write_all(line.as_bytes());
        assert!(written.is_ok(), "cannot even say that a test is skipped: {written:?}");
    }
}

/// In CI, and with `AGUI_REQUIRE_OUTSIDE`, no test may be skipped.
fn required() -> bool {
    ["CI", "AGUI_REQUIRE_OUTSIDE"]
        .iter()
        .any(|name| env::var(name).is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false")))
}

/// Unwraps the result of a program's `ready()`: returns the program, or ends this test.
///
/// A missing program is reported on standard error as `SKIPPED <test>: <program> …`, and the test returns; in CI the
/// test fails.
#[macro_export]
macro_rules! need {
    ($ready:expr) => {
        match $ready {
            Ok(program) => program,
            Err(missing) => {
                fn here() {}
                $crate::Missing::skip(&missing, ::std::any::type_name_of_val(&here));
                return;
            }
        }
    };
}
