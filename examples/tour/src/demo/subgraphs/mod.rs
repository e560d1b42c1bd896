//! `/subgraphs`: a supervisor who plans a trip with three specialists. Two of them ask the user, and the run that brings
//! the answer goes on where they were.

mod specialists;
mod trip;

use std::sync::Arc;

use agui_runtime::prelude::*;

use specialists::{Experiences, Flights, Hotels};
use trip::{ActiveAgent, PlanningStep, Trip};

/// Plans a trip with specialists for flights, hotels and experiences.
#[agent(state = Trip)]
pub async fn travel_agent(
    run: &mut Run<TravelAgent>,
    input: Input<TravelAgent>,
    flights: &Arc<Flights>,
    hotels: &Arc<Hotels>,
    experiences: &Arc<Experiences>,
) -> Result<(), Stop> {
    let trip = run.state().adopt_or_snapshot(&input).await?;
    let messages = || input.messages.clone();
    if input.resume().is_empty() {
        run.say("I am your supervisor, and ask the specialists one after the other.").await;
    }
    if trip.read(|trip| trip.itinerary.flight.is_none())? {
        trip.update(|trip| trip.show(ActiveAgent::Flights, PlanningStep::Flights)).await?;
        let Some(flight) = run.delegate("flights", flights, messages()).await? else {
            return undecided(run).await;
        };
        trip.update(|trip| trip.itinerary.flight = Some(flight)).await?;
    }
    if trip.read(|trip| trip.itinerary.hotel.is_none())? {
        trip.update(|trip| trip.show(ActiveAgent::Hotels, PlanningStep::Hotels)).await?;
        let Some(hotel) = run.delegate("hotels", hotels, messages()).await? else {
            return undecided(run).await;
        };
        trip.update(|trip| trip.itinerary.hotel = Some(hotel)).await?;
    }
    trip.update(|trip| trip.show(ActiveAgent::Experiences, PlanningStep::Experiences)).await?;
    run.delegate("experiences", experiences, messages()).await?;
    trip.update(|trip| trip.planning_step = PlanningStep::Complete).await?;
    run.say("Your itinerary is ready.").await;
    Ok(())
}

async fn undecided(run: &Emit) -> Result<(), Stop> {
    run.say("Nothing is booked. Tell me when you want to go on.").await;
    Ok(())
}

/// The whole team.
pub fn team() -> TravelAgent {
    TravelAgent::new(Arc::new(Flights::new()), Arc::new(Hotels::new()), Arc::new(Experiences::new()))
}
