//! The trip on the page: the offers, and those that the user has chosen.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plan of the trip.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
#[serde(default)]
pub struct Trip {
    pub itinerary: Itinerary,
    experiences: Vec<Experience>,
    flights: Vec<Flight>,
    hotels: Vec<Hotel>,
    pub planning_step: PlanningStep,
    active_agent: ActiveAgent,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
#[serde(default)]
pub struct Itinerary {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<Flight>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hotel: Option<Hotel>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Flight {
    pub airline: String,
    pub departure: String,
    pub arrival: String,
    pub price: String,
    pub duration: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Hotel {
    pub name: String,
    pub location: String,
    pub price_per_night: String,
    pub rating: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Experience {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub description: String,
    pub location: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum PlanningStep {
    #[default]
    Start,
    Flights,
    Hotels,
    Experiences,
    Complete,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum ActiveAgent {
    #[default]
    Supervisor,
    Flights,
    Hotels,
    Experiences,
}

impl Trip {
    /// Shows the page who works now, and the offers of this agent.
    pub fn show(&mut self, agent: ActiveAgent, step: PlanningStep) {
        match agent {
            ActiveAgent::Supervisor => {}
            ActiveAgent::Flights => self.flights = flights(),
            ActiveAgent::Hotels => self.hotels = hotels(),
            ActiveAgent::Experiences => self.experiences = experiences(),
        }
        self.active_agent = agent;
        self.planning_step = step;
    }
}

pub fn flights() -> Vec<Flight> {
    let flight = |(airline, price, duration): (&str, &str, &str)| Flight {
        airline: airline.to_owned(),
        departure: "Amsterdam (AMS)".to_owned(),
        arrival: "San Francisco (SFO)".to_owned(),
        price: price.to_owned(),
        duration: duration.to_owned(),
    };
    [("KLM", "$650", "11h 30m"), ("United", "$720", "12h 15m")].map(flight).to_vec()
}

pub fn hotels() -> Vec<Hotel> {
    let hotel = |(name, location, price, rating): (&str, &str, &str, &str)| Hotel {
        name: name.to_owned(),
        location: location.to_owned(),
        price_per_night: price.to_owned(),
        rating: rating.to_owned(),
    };
    [
        ("Hotel Zephyr", "Fisherman's Wharf", "$280/night", "4.2 stars"),
        ("The Ritz-Carlton", "Nob Hill", "$550/night", "4.8 stars"),
        ("Hotel Zoe", "Union Square", "$320/night", "4.4 stars"),
    ]
    .map(hotel)
    .to_vec()
}

fn experiences() -> Vec<Experience> {
    let experience = |(name, kind, description, location): (&str, &str, &str, &str)| Experience {
        name: name.to_owned(),
        kind: kind.to_owned(),
        description: description.to_owned(),
        location: location.to_owned(),
    };
    [
        ("Pier 39", "activity", "Shops, and sea lions on the docks", "Fisherman's Wharf"),
        ("Golden Gate Bridge", "activity", "A walk over the bay", "Golden Gate"),
        ("Swan Oyster Depot", "restaurant", "Oysters at an old counter", "Polk Street"),
        ("Tartine Bakery", "restaurant", "Bread and pastries", "Mission District"),
    ]
    .map(experience)
    .to_vec()
}
