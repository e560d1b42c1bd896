//! Values that come with the request of a run: their recipients, and the end of a run that lacks one.

use std::error::Error as _;
use std::sync::Arc;

use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Context, NonNull, RunAgentInput, UserMessage};
use agui_runtime::runs::MissingRequestValue;
use agui_runtime::{DynAgent, FinishedRun, RunOptions, testing};
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{inside, json, judge, types};

#[derive(Clone)]
struct Customer {
    name: String,
}

#[derive(Clone)]
struct Tenant(&'static str);

/// No value of this type ever comes with a request.
#[derive(Clone)]
struct Nothing;

struct Shop {
    city: &'static str,
}

fn ada() -> Customer {
    Customer { name: "Ada".to_owned() }
}

/// Names the customer and the shop.
#[tool]
async fn describe(shop: &Shop, who: &Customer, greeting: String) -> String {
    format!("{greeting}, {} in {}", who.name, shop.city)
}

/// Names the customer, if there is one.
#[tool]
async fn guess(who: Option<&Customer>) -> String {
    who.map_or_else(|| "a stranger".to_owned(), |who| who.name.clone())
}

/// Knows its customers.
#[agent(tools = [describe, guess])]
async fn desk(
    run: &mut Run<Desk>,
    _: Input<Desk>,
    #[request] who: &Customer,
    shop: &Shop,
    #[request] Tenant(tenant): &Tenant,
    #[request] nothing: Option<&Nothing>,
) -> Result<Vec<String>, Stop> {
    assert!(nothing.is_none());
    let described = run.call(describe { greeting: "Hello".to_owned() }).await?.run().await;
    let guessed = run.call(guess {}).await?.run().await;
    run.say(&who.name).await;
    Ok(vec![described, guessed, format!("{tenant} {}", shop.city)])
}

/// Serves all callers.
#[agent(tools = [guess])]
async fn kiosk(
    run: &mut Run<Kiosk>,
    _: Input<Kiosk>,
    #[request] who: Option<&Customer>,
) -> Result<String, Stop> {
    let guessed = run.call(guess {}).await?.run().await;
    assert_eq!(who.is_none(), guessed == "a stranger");
    Ok(guessed)
}

struct Library {
    books: u32,
}

/// Lends books.
#[agent]
impl Library {
    async fn run(
        &self,
        run: &mut Run<Self>,
        _: Input<Self>,
        #[request] who: &Customer,
    ) -> Result<String, Stop> {
        assert_eq!(run.request().name, who.name);
        Ok(run.call(lend {}).await?.run().await)
    }

    /// Lends a book.
    #[tool]
    async fn lend(&self, who: &Customer) -> String {
        format!("{} of {} books", who.name, self.books)
    }
}

/// Written by hand.
struct Greeter;

impl Agent for Greeter {
    type State = ();
    type Request = (Arc<Customer>, Option<Arc<Tenant>>);
    type Output = String;

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, String>, Stop> {
        let (who, tenant) = run.request();
        let greeting = format!("{} of {}", who.name, tenant.as_ref().map_or("nobody", |tenant| tenant.0));
        Ok(run.finish(greeting))
    }

    fn source() -> AgentSource {
        AgentSource { rust_path: std::any::type_name::<Self>(), ..AgentSource::new("greeter") }
    }
}

fn run(agent: impl Agent, options: RunOptions) -> Vec<Value> {
    let events = block_on(testing::run_with(agent, testing::input("Hi"), options));
    let events: Vec<Value> = events.iter().map(json).collect();
    judge(&events);
    events
}

fn result(agent: impl Agent, options: RunOptions) -> Value {
    let events = run(agent, options);
    let _ = inside(&events);
    events.last().unwrap()["result"].clone()
}

fn options() -> RunOptions {
    testing::options()
}

#[test]
fn agents_and_tools_know_the_customer() {
    let said = result(Desk::new(Shop { city: "Bonn" }), options().request(ada()).request(Tenant("acme")));
    assert_eq!(said, json!(["Hello, Ada in Bonn", "Ada", "acme Bonn"]));
}

#[test]
fn the_value_that_was_added_last_counts() {
    let again = options().request(Customer { name: "Eve".to_owned() }).request(ada());
    assert_eq!(result(Greeter, again), "Ada of nobody");
}

#[test]
fn a_run_that_lacks_a_value_never_reaches_the_agent() {
    let missing = [
        (options(), "request::Customer"),
        (options().request(Tenant("acme")), "request::Customer"),
        (options().request(ada()), "request::Tenant"),
        (options().request(Arc::new(ada())).request(Tenant("acme")), "request::Customer"),
    ];
    for (options, name) in missing {
        let refused = Desk::new(Shop { city: "Bonn" }).check(&options).unwrap_err();
        assert!(refused.type_name().ends_with(name), "{refused}");
        let events = run(Desk::new(Shop { city: "Bonn" }), options);
        assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
        assert_eq!(events[1]["code"], MissingRequestValue::CODE);
        assert_eq!(events[1]["message"], refused.to_string());
        let log = refused.source().unwrap().to_string();
        assert!(log.contains(name), "{log}");
        let types = [name.rsplit("::").next().unwrap(), "::"];
        assert!(
            types.iter().all(|ty| !refused.to_string().contains(ty)),
            "the client sees no type: {refused}"
        );
        assert!(types.iter().all(|ty| !json!(events).to_string().contains(ty)), "{events:#?}");
    }
    let events = run(Desk::new(Shop { city: "Bonn" }), options().reveal_errors(true));
    assert!(events[1]["message"].as_str().unwrap().contains("request::Customer"), "{events:#?}");
    let complete = options().request(ada()).request(Tenant("acme"));
    assert_eq!(Desk::new(Shop { city: "Bonn" }).check(&complete), Ok(()));
}

#[test]
fn an_agent_may_serve_strangers_too() {
    assert_eq!(Kiosk::new().check(&options()), Ok(()));
    assert_eq!(result(Kiosk::new(), options()), "a stranger");
    assert_eq!(result(Kiosk::new(), options().request(ada())), "Ada");
}

#[test]
fn methods_take_it_as_functions_do() {
    assert_eq!(result(Library { books: 3 }, options().request(ada())), "Ada of 3 books");
    assert_eq!(run(Library { books: 3 }, options())[1]["code"], MissingRequestValue::CODE);
}

#[test]
fn agents_written_by_hand_say_what_they_need() {
    assert_eq!(result(Greeter, options().request(ada()).request(Tenant("acme"))), "Ada of acme");
    assert_eq!(run(Greeter, options().request(Tenant("acme")))[1]["code"], MissingRequestValue::CODE);
}

/// Asks an agent for the customer, and for a value that does not exist.
#[agent]
async fn asker(
    run: &mut Run<Asker>,
    _: Input<Asker>,
    kiosk: &Arc<Kiosk>,
    library: &Arc<Library>,
    lost: &Arc<Lost>,
) -> Result<Vec<String>, Stop> {
    let guessed = run.delegate("kiosk", kiosk, []).await?;
    let lent = run.delegate("library", library, []).await?;
    let Err(stop) = run.delegate("lost", lost, []).await else { panic!("it ran") };
    Ok(vec![guessed, lent, stop.to_string()])
}

/// Needs a value that never comes.
#[agent]
async fn lost(run: &mut Run<Lost>, _: Input<Lost>, #[request] _: &Nothing) -> Result<(), Stop> {
    run.say("found").await;
    Ok(())
}

#[test]
fn subagents_see_the_same_request() {
    let agent = || Asker::new(Arc::new(Kiosk::new()), Arc::new(Library { books: 3 }), Arc::new(Lost::new()));
    let events = run(agent(), options().request(ada()));
    let said = events.last().unwrap()["result"].clone();
    assert_eq!(said.as_array().unwrap()[..2], [json!("Ada"), json!("Ada of 3 books")]);
    assert!(
        !said[2].as_str().unwrap().contains("Nothing"),
        "no client is told the types of a program: {said}"
    );
    let failed = events.iter().find(|event| event["type"] == "SUBAGENT_ERROR").unwrap();
    assert_eq!(failed["code"], MissingRequestValue::CODE);
    assert!(!types(&events).contains(&"TEXT_MESSAGE_START"), "the lost agent ran");

    let events = run(agent(), options());
    assert_eq!(events.last().unwrap()["code"], MissingRequestValue::CODE, "the library's need ends the run");
}

/// Returns the input that a tool sees.
#[tool]
async fn look(call: &ToolCtx) -> Value {
    json!({
        "thread": call.thread_id(),
        "run": call.run_id(),
        "context": call.context(),
        "props": call.forwarded_props(),
        "messages": call.messages().len(),
        "debug": format!("{call:?}"),
    })
}

/// Looks.
#[agent(tools = [look])]
async fn looker(run: &mut Run<Looker>, _: Input<Looker>) -> Result<Value, Stop> {
    Ok(run.call(look {}).await?.run().await)
}

/// Has another look.
#[agent(tools = [look])]
async fn chief(run: &mut Run<Chief>, _: Input<Chief>, looker: &Arc<Looker>) -> Result<Vec<Value>, Stop> {
    let own = run.call(look {}).await?.run().await;
    Ok(vec![own, run.delegate("looker", looker, []).await?])
}

#[test]
fn tools_see_what_the_client_sent() {
    let input = RunAgentInput::new("t-1", "r-1", [UserMessage::new("1", "a secret").into()])
        .with_protocol_version("1.0")
        .with_context(vec![Context::new("time zone", "UTC")])
        .with_forwarded_props(NonNull::new(json!({"theme": "dark"})).unwrap());
    let events = block_on(testing::run(Chief::new(Arc::new(Looker::new())), input));
    let seen = json(events.last().unwrap())["result"].clone();
    for (seen, messages) in [(&seen[0], 1), (&seen[1], 0)] {
        assert_eq!((&seen["thread"], &seen["run"]), (&json!("t-1"), &json!("r-1")));
        assert_eq!(seen["context"], json!([{"description": "time zone", "value": "UTC"}]));
        assert_eq!(seen["props"], json!({"theme": "dark"}));
        assert_eq!(seen["messages"], messages, "a subagent has a conversation of its own");
        let debug = seen["debug"].as_str().unwrap();
        assert!(debug.contains("look") && !debug.contains("secret"), "{debug}");
    }
}

#[test]
fn options_name_the_types_they_hold_and_not_the_values() {
    let shown = format!("{:?}", options().request(ada().name));
    assert!(shown.contains("String") && !shown.contains("Ada"), "{shown}");
}
