//! Every agent there is to look at.

use agui_tests::outside::ExampleServer;

const TOUR: &str = include_str!("../../../../examples/tour/src/main.rs");

/// The share of its time that every pause of the tour takes here.
const PACE: &str = "0.02";

/// The routes of the tour, as its source has them: a new one is looked at as well.
pub fn routes() -> Vec<&'static str> {
    let routes: Vec<_> = TOUR.split(".agent(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(routes.len() > 30 && routes.contains(&"/lab/state_held"), "{routes:?}");
    routes
}

/// The example servers; each is killed when this is dropped.
pub struct Places {
    tour: ExampleServer,
    others: Vec<(&'static str, &'static str, ExampleServer)>,
}

impl Places {
    pub fn start() -> Self {
        let others = [("hello", "/"), ("keeper", "/"), ("recipe", "/cook"), ("shopper", "/")];
        Self {
            tour: ExampleServer::start_with("tour", &[("TOUR_PACE", PACE)]),
            others: others.into_iter().map(|(name, path)| (name, path, ExampleServer::start(name))).collect(),
        }
    }

    /// Every agent by a name that can stand in an address, and where it is.
    pub fn all(&self) -> Vec<(String, String)> {
        let tour = routes().into_iter().map(|route| (name(route), format!("{}{route}", self.tour.url())));
        let others = self
            .others
            .iter()
            .map(|(name, path, server)| ((*name).to_owned(), format!("{}{path}", server.url())));
        tour.chain(others).collect()
    }
}

/// `/lab/text` is `lab_text`, and `/` is `root`.
pub fn name(route: &str) -> String {
    match route.trim_matches('/').replace('/', "_") {
        name if name.is_empty() => "root".to_owned(),
        name => name,
    }
}

/// What is said to an agent, twice; the first of two that make sense together, for most do not listen.
pub fn says(agent: &str) -> [&'static str; 2] {
    match agent {
        "recipe" => ["risotto", "make it vegan"],
        "shopper" => ["rice", "saffron"],
        "keeper" => ["notes.txt", "other.txt"],
        _ => ["hi", "hi"],
    }
}

/// The codes with which an agent may fail when it is talked to as here.
pub fn fails_with(agent: &str) -> Option<&'static str> {
    match agent {
        "lab_error" => Some("LAB_ERR"),
        "recipe" => Some("KITCHEN_FIRE"),
        _ => None,
    }
}
