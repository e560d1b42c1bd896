//! A question is for one party, if the run names it.

use serde_json::json;

use super::*;

#[test]
fn only_the_party_that_was_asked_can_answer() {
    let parties = [None, Some(""), Some("ada"), Some("Ada"), Some("ada "), Some("=ada")];
    let options_of = |party: Option<&str>| party.map_or(options(), |party| options().subject(party));
    for way in WAYS {
        for asked_of in parties {
            let mut case = Case::new(way);
            case.options = options_of(asked_of);
            let asked = case.asked();
            for other in parties.into_iter().filter(|other| *other != asked_of) {
                case.options = options_of(other);
                assert_refused(
                    &case,
                    &asked.input,
                    "interrupt_not_asked",
                    &format!("{asked_of:?}, {other:?}"),
                );
            }
            case.options = options_of(asked_of);
            assert_eq!(result(&case.run(&asked.input)), &json!(["sent 2 of café to Ada"]), "{asked_of:?}");
        }
    }
}
