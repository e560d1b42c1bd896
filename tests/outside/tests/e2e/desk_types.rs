//! The programs of `examples/desk` are well typed, and wrong answers are not.

use agui_tests::need;
use agui_tests::outside::{ClientPrograms, Node, Python};

const DESK: ClientPrograms = ClientPrograms("desk");

#[test]
fn the_typescript_program_type_checks_on_both_clients() {
    let node = need!(Node::ready());
    DESK.assert_typescript_checks(&node);
}

#[test]
fn an_answer_of_another_type_does_not_compile() {
    let node = need!(Node::ready());
    for (other, said) in [
        ("{ approved: \"yes\" }", "Type 'string' is not assignable to type 'boolean'"),
        ("{ approved: true, editedArgs: { cents: 1 } }", "Property 'number' is missing"),
    ] {
        let checked = DESK.type_check_with(&node, "{ approved: call.cents < 10_000 }", other);
        assert!(!checked.status.success(), "{checked}");
        assert!(checked.stdout.contains(said), "{checked}");
    }
}

#[test]
fn the_python_program_type_checks() {
    let python = need!(Python::ready());
    DESK.assert_python_checks(&python);
}
