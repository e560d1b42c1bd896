//! `/a2ui_fixed_schema`: the agent has written the layout, and a tool brings the data.

use agui_runtime::a2ui::{A2uiProps, Surface};
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::cards::{CATALOG, flight_card, hotel_card, row};

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Flight {
    airline: String,
    airline_logo: String,
    flight_number: String,
    origin: String,
    destination: String,
    date: String,
    departure_time: String,
    arrival_time: String,
    duration: String,
    status: String,
    price: String,
}

#[derive(Serialize, JsonSchema)]
pub struct Hotel {
    name: String,
    location: String,
    rating: f64,
    price: String,
}

/// Finds flights.
#[tool(read_only)]
pub async fn search_flights(origin: String, destination: String) -> Vec<Flight> {
    let flight = |airline: &str, number: &str, leaves: &str, arrives: &str, price: &str| Flight {
        airline: airline.to_owned(),
        airline_logo: "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=".to_owned(),
        flight_number: number.to_owned(),
        origin: origin.clone(),
        destination: destination.clone(),
        date: "Tue, Apr 8".to_owned(),
        departure_time: leaves.to_owned(),
        arrival_time: arrives.to_owned(),
        duration: "5h 30m".to_owned(),
        status: "On Time".to_owned(),
        price: price.to_owned(),
    };
    vec![
        flight("United Airlines", "UA 123", "8:00 AM", "4:30 PM", "$289"),
        flight("Delta", "DL 456", "10:00 AM", "6:30 PM", "$315"),
    ]
}

/// Finds hotels.
#[tool(read_only)]
pub async fn search_hotels(location: String) -> Vec<Hotel> {
    let hotel = |name: &str, rating: f64, price: &str| Hotel {
        name: name.to_owned(),
        location: location.clone(),
        rating,
        price: price.to_owned(),
    };
    vec![hotel("The Manhattan Grand", 4.5, "$350"), hotel("Downtown Boutique Hotel", 4.0, "$280")]
}

/// The values that the button of a card sends.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Booking {
    #[serde(alias = "hotelName")]
    flight_number: String,
    price: String,
}

/// Shows flights or hotels, and books one.
#[agent(tools = [search_flights, search_hotels], activities = [Surface], forwarded = A2uiProps)]
pub async fn a2ui_fixed_schema(
    run: &mut Run<A2uiFixedSchema>,
    input: Input<A2uiFixedSchema>,
) -> Result<(), Stop> {
    if let Some(action) = input.forwarded::<A2uiProps>()?.and_then(|props| props.user_action()) {
        let Booking { flight_number: what, price } = action.read_context()?;
        run.say(format!("{what} is booked for {price}.")).await;
        return Ok(());
    }
    let surface = if input.user_text().is_some_and(|text| text.contains("hotel")) {
        let search = search_hotels { location: "Downtown Manhattan".to_owned() };
        let hotels = run.call(search).await?.run().await;
        Surface::new("hotel-search-results", CATALOG, [row("/hotels"), hotel_card()])
            .with_data(&json!({ "hotels": hotels }))?
    } else {
        let search = search_flights { origin: "SFO".to_owned(), destination: "JFK".to_owned() };
        let flights = run.call(search).await?.run().await;
        Surface::new("flight-search-results", CATALOG, [row("/flights"), flight_card()])
            .with_data(&json!({ "flights": flights }))?
    };
    drop(surface.show(run).await?); // ACTIVITY_SNAPSHOT, in the version that the page reads
    run.say("Here are your results.").await;
    Ok(())
}
