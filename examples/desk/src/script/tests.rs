//! Conversations with the desk: over the script, and over a cassette. The cassette in the repository was recorded from the
//! script, so that it needs no key; a model of a provider is recorded in the same way.

use agui_runtime::client::{LocalAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::http::{FirstExchange, ModelTitles, ThreadTitles as _};
use agui_runtime::model::{Model, ModelRecorder, Reply, ScriptedModel};
use agui_runtime::protocol::{Message, NonNull};
use agui_runtime::testing::{self, RunEnd};
use futures::executor::block_on;
use serde_json::{Value, json};

use super::{model, titles};
use crate::shop::Shop;
use crate::{Case, Desk, refund};

const CASSETTE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cassettes/refund.jsonl");

#[test]
fn a_refund_waits_for_the_user() {
    let model = ScriptedModel::new([Reply::call("refund", refund { number: 8, cents: 5900 })]);
    let desk = Desk::new(model.into(), Shop::open());
    let events = block_on(testing::run(desk, testing::input("My kettle is broken.")));
    assert!(matches!(testing::end(&events), RunEnd::Interrupt([question]) if question.reason == "tool_call"));
}

/// A customer at the desk.
struct Customer(Session<Case>);

impl Customer {
    fn of(model: impl Into<Model>) -> Self {
        Self(Session::new(LocalAgent::new(Desk::new(model.into(), Shop::open()))))
    }

    fn says(&mut self, text: &str) -> RunOutcome {
        self.0.say(text);
        block_on(self.0.run()).unwrap().outcome
    }

    /// Answers the one open question.
    fn answers(&mut self, answer: Value) -> RunOutcome {
        let [asked] = self.0.pending_interrupts() else { panic!("{:#?}", self.0.pending_interrupts()) };
        assert_eq!(asked.reason, "tool_call");
        let id = asked.id.clone();
        self.0.resume([(id, ResumeValue::resolved(NonNull::new(answer)))]).unwrap();
        block_on(self.0.run()).unwrap().outcome
    }

    fn refunded(&self) -> u32 {
        self.0.state().unwrap().and_then(|case| case.order.as_ref()).map_or(0, |order| order.refunded)
    }

    /// Returns the last text that the customer reads.
    fn reads(&self) -> String {
        match self.0.messages().last() {
            Some(Message::Assistant(said)) => said.content.clone().unwrap_or_default(),
            other => panic!("{other:#?}"),
        }
    }
}

#[test]
fn an_order_is_looked_up_and_shown() {
    let mut customer = Customer::of(model());
    assert!(matches!(customer.says("Where is order 7?"), RunOutcome::Success { .. }));
    assert_eq!(customer.reads(), "Order 7: a teapot, 24.00 €, 0.00 € refunded.");
    assert_eq!(customer.0.state().unwrap().unwrap().order.as_ref().unwrap().item, "teapot");
    assert!(matches!(customer.says("And order 1?"), RunOutcome::Success { .. }));
    assert_eq!(customer.reads(), "That did not work: there is no order 1");
    assert!(matches!(customer.says("Hello!"), RunOutcome::Success { .. }));
    assert!(customer.reads().starts_with("Which order"));
}

#[test]
fn money_goes_out_only_when_the_user_agrees() {
    for (answer, refunded, said) in [
        (json!({ "approved": true }), 5900, "Done: 59.00 € for the kettle are on their way to you."),
        (
            json!({ "approved": true, "editedArgs": { "number": 8, "cents": 900 } }),
            900,
            "Done: 9.00 € for the kettle are on their way to you.",
        ),
        (json!({ "approved": false }), 0, "That did not work: the user refused"),
        (
            json!({ "approved": true, "editedArgs": { "number": 8, "cents": 5901 } }),
            0,
            "That did not work: order 8 has only 5900 cents left to refund",
        ),
    ] {
        let mut customer = Customer::of(model());
        assert!(matches!(customer.says("Order 8 is broken."), RunOutcome::Interrupted { .. }));
        assert_eq!(customer.refunded(), 0);
        assert!(matches!(customer.answers(answer), RunOutcome::Success { .. }));
        assert_eq!((customer.refunded(), customer.reads().as_str()), (refunded, said));
    }
}

/// The conversation of the cassette.
fn refund_of_a_cup(model: impl Into<Model>) -> Customer {
    let mut customer = Customer::of(model);
    assert!(matches!(customer.says("Please take order 9 back."), RunOutcome::Interrupted { .. }));
    assert!(matches!(customer.answers(json!({ "approved": true })), RunOutcome::Success { .. }));
    customer
}

/// `AGUI_RECORD=1 cargo test -p desk --bin desk` records the script again, and with `AGUI_MODEL=…` that model.
#[test]
fn a_recorded_conversation_plays_without_its_model() {
    if std::env::var_os("AGUI_RECORD").is_some() {
        refund_of_a_cup(ModelRecorder::new(Model::from_env_or(model()).unwrap(), CASSETTE).unwrap());
    }
    let customer = refund_of_a_cup(ScriptedModel::cassette(CASSETTE).unwrap());
    assert_eq!(customer.refunded(), 850);
    assert!(customer.reads().contains("8.50"), "{}", customer.reads());
}

#[test]
fn a_conversation_is_called_after_its_order() {
    let titles = ModelTitles::new(titles());
    let title = |question: &str| {
        block_on(titles.title(&FirstExchange::new("/", question, "Let me see."))).unwrap_or_default()
    };
    assert_eq!(title("Where is order 7?"), "About order 7");
    assert_eq!(title("Good morning."), "A question");
}
