//! The specialists, each a subagent. Two of them ask the user to choose.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

use super::trip::{Flight, Hotel, flights as offered_flights, hotels as offered_hotels};
use crate::demo::reason::with_reason;

/// A choice between flights.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "choose_flight", response = Chosen<Flight>)]
struct ChooseFlight {
    message: String,
    options: Vec<Flight>,
    recommendation: Flight,
    agent: &'static str,
}

/// A choice between hotels.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "choose_hotel", response = Chosen<Hotel>)]
struct ChooseHotel {
    message: String,
    options: Vec<Hotel>,
    recommendation: Hotel,
    agent: &'static str,
}

/// An option of a question. The page sends it as a text that is JSON.
#[derive(JsonSchema)]
#[schemars(transparent)]
struct Chosen<T>(#[schemars(with = "String")] T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Chosen<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        serde_json::from_str(&text).map(Self).map_err(D::Error::custom)
    }
}

/// Finds flights.
#[agent(interrupts = [ChooseFlight])]
pub async fn flights(run: &mut Run<Flights>, input: Input<Flights>) -> Result<Option<Flight>, Stop> {
    let Some(asked) = input.resumed::<ChooseFlight>()? else {
        let options = offered_flights();
        let Some(recommendation) = options.first().cloned() else { return Ok(None) };
        let message = format!("There are {} flights. I recommend {}.", options.len(), recommendation.airline);
        let question =
            run.typed_interrupt(ChooseFlight { message, options, recommendation, agent: "flights" })?;
        return Err(Stop::interrupt(with_reason(question)));
    };
    let flight = asked.response.map(|Chosen(flight)| flight);
    if let Some(flight) = &flight {
        run.say(format!(
            "Flights Agent: I book {} from {} to {}.",
            flight.airline, flight.departure, flight.arrival
        ))
        .await;
    }
    Ok(flight)
}

/// Finds hotels.
#[agent(interrupts = [ChooseHotel])]
pub async fn hotels(run: &mut Run<Hotels>, input: Input<Hotels>) -> Result<Option<Hotel>, Stop> {
    let Some(asked) = input.resumed::<ChooseHotel>()? else {
        let options = offered_hotels();
        let Some(recommendation) = options.last().cloned() else { return Ok(None) };
        let message = format!("There are {} hotels. I recommend {}.", options.len(), recommendation.name);
        let question =
            run.typed_interrupt(ChooseHotel { message, options, recommendation, agent: "hotels" })?;
        return Err(Stop::interrupt(with_reason(question)));
    };
    let hotel = asked.response.map(|Chosen(hotel)| hotel);
    if let Some(hotel) = &hotel {
        run.say(format!("Hotels Agent: {} it is, {}.", hotel.name, hotel.location)).await;
    }
    Ok(hotel)
}

/// Finds restaurants and activities.
#[agent]
pub async fn experiences(run: &mut Run<Experiences>, _: Input<Experiences>) -> Result<(), Stop> {
    run.say("Experiences Agent: I found two activities and two restaurants.").await;
    Ok(())
}
