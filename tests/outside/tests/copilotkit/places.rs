//! Every agent to visit.

use std::collections::BTreeSet;
use std::fs;

use agui_tests::outside::{Conversation, ExampleServer, Generation, workspace_dir};
use serde_json::{Value, json};

const TOUR: &str = include_str!("../../../../examples/tour/src/main.rs");

/// The factor of every pause of the tour.
const PACE: &str = "0.02";

/// The routes of the tour, from its source: a new one is visited as well.
pub fn routes() -> Vec<&'static str> {
    let routes: Vec<_> = TOUR.split(".agent(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(routes.len() > 30 && routes.contains(&"/lab/state_held"), "{routes:?}");
    routes
}

/// The members of the example `members`, and the header of one of them.
const MEMBERS: (&str, &str) = ("MEMBERS", "secret-1=Ada");
const BEARER: &str = "Bearer secret-1";

/// The other examples with a server, and the paths of their agents.
const OTHERS: [(&str, &str); 5] =
    [("desk", "/"), ("hello", "/"), ("keeper", "/"), ("recipe", "/cook"), ("shopper", "/")];

/// An agent to look at.
pub struct Place {
    /// A name that can stand in an address.
    pub name: String,
    pub url: String,
    /// The authorization that it wants, if it wants one.
    pub bearer: Option<&'static str>,
}

impl Place {
    pub fn open(name: impl Into<String>, url: String) -> Self {
        Self { name: name.into(), url, bearer: None }
    }

    /// Where CopilotKit's runtime finds it.
    pub fn target(self) -> (String, Value) {
        let target = match self.bearer {
            Some(bearer) => json!({ "url": self.url, "headers": { "authorization": bearer } }),
            None => json!({ "url": self.url }),
        };
        (self.name, target)
    }

    /// A conversation with it.
    pub fn conversation(&self, generation: Generation) -> Conversation {
        let conversation = Conversation::new(self.url.as_str(), generation);
        match self.bearer {
            Some(bearer) => conversation.header("authorization", bearer),
            None => conversation,
        }
    }
}

/// The example servers; each is killed when this is dropped.
pub struct Places {
    tour: ExampleServer,
    members: ExampleServer,
    others: [(&'static str, &'static str, ExampleServer); OTHERS.len()],
}

impl Places {
    pub fn start() -> Self {
        Self {
            tour: Self::tour(),
            members: ExampleServer::start_with("members", &[MEMBERS]),
            others: OTHERS.map(|(name, path)| (name, path, ExampleServer::start(name))),
        }
    }

    /// The tour alone.
    pub fn tour() -> ExampleServer {
        ExampleServer::start_with("tour", &[("TOUR_PACE", PACE)])
    }

    /// Every agent, by a name that is valid in an address.
    pub fn all(&self) -> Vec<Place> {
        let tour =
            routes().into_iter().map(|route| Place::open(name(route), format!("{}{route}", self.tour.url())));
        let others = self
            .others
            .iter()
            .map(|(name, path, server)| Place::open(*name, format!("{}{path}", server.url())));
        let members =
            Place { bearer: Some(BEARER), ..Place::open("members", format!("{}/", self.members.url())) };
        tour.chain(others).chain([members]).collect()
    }

    /// Where CopilotKit's runtime finds them.
    pub fn targets(&self) -> impl Iterator<Item = (String, Value)> {
        self.all().into_iter().map(Place::target)
    }
}

/// `/lab/text` is `lab_text`, and `/` is `root`.
pub fn name(route: &str) -> String {
    match route.trim_matches('/').replace('/', "_") {
        name if name.is_empty() => "root".to_owned(),
        name => name,
    }
}

/// Two messages to an agent; the first of two that make sense together, because most agents do not read them.
pub fn says(agent: &str) -> [&'static str; 2] {
    match agent {
        "desk" => ["Where is order 7?", "And order 9?"],
        "recipe" => ["risotto", "make it vegan"],
        "shopper" => ["rice", "saffron"],
        "keeper" => ["notes.txt", "other.txt"],
        _ => ["hi", "hi"],
    }
}

/// The answer to the questions of an agent: approval, or the first choice of the showcase.
pub fn decides(agent: &str) -> Value {
    match agent {
        "interrupt" => json!({ "chosen_time": "2026-09-12T10:00:00.000Z", "chosen_label": "Saturday" }),
        // The page sends an option as text.
        "subgraphs" => json!(json!({
            "airline": "KLM", "departure": "Amsterdam (AMS)", "arrival": "San Francisco (SFO)", "price": "$650",
            "duration": "11h 30m", "name": "Hotel Zoe", "location": "Union Square",
            "price_per_night": "$320/night", "rating": "4.4 stars",
        }).to_string()),
        _ => json!({ "approved": true }),
    }
}

/// The error code that an agent may end with here.
pub fn fails_with(agent: &str) -> Option<&'static str> {
    match agent {
        "error_flow" => Some("REPORT_FAILED"),
        "lab_error" => Some("LAB_ERR"),
        "recipe" => Some("KITCHEN_FIRE"),
        _ => None,
    }
}

#[test]
fn every_example_with_a_server_is_visited() {
    let is_folder = |entry: &fs::DirEntry| entry.path().join("src").is_dir();
    let examples = fs::read_dir(workspace_dir().join("examples")).unwrap().map(Result::unwrap);
    let found: BTreeSet<_> =
        examples.filter(is_folder).map(|entry| entry.file_name().into_string().unwrap()).collect();
    let known = OTHERS.map(|(name, _)| name).into_iter().chain(["tour", "members"]);
    // The command line and the inspector are clients; `bridge` and the cluster have conversations of their own; `observed` is a chat with
    // tools, as the desk is; a page sees nothing of the private tool of `records`.
    let without_pages = ["agui-cli", "bridge", "cluster", "inspector", "observed", "records"];
    let known: BTreeSet<_> = known.chain(without_pages).map(str::to_owned).collect();
    assert_eq!(found, known);
}
