//! What a user reads when something is wrong: one case for each mistake, named after it.
//!
//! Update with `TRYBUILD=overwrite cargo test -p agui-tests --test ui`, then read the difference like code.

#[test]
fn every_mistake_has_its_message() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    for macro_name in ["activity", "agent", "event", "main", "order", "state", "tool"] {
        cases.compile_fail(format!("tests/ui/{macro_name}/*.rs"));
    }
}
