//! `/lab/a2ui`: a surface from Rust types, in the version that the page reads, and functions in both directions.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agui_runtime::a2ui::{
    A2uiProps, AgentFunctionCall, Catalog, ComponentCatalog, ComponentList, DynamicValue, FunctionError,
    FunctionResponse, PendingFunctionCalls, RendererCapabilities, Surface, SurfaceAction, SurfaceComponent,
    SurfaceData, SurfaceVersion, TypedSurface,
};
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The part of the pages' catalog that this agent uses.
#[derive(Catalog)]
#[catalog(
    id = "https://a2ui.org/demos/dojo/custom_catalog.json",
    components = [Row, HotelCard],
    functions = [CountNights -> u32],
    agent_functions = [QuotePrice -> String],
)]
pub(crate) struct Cards;

/// Components beside each other.
#[derive(Serialize, JsonSchema)]
struct Row {
    children: ComponentList,
    gap: u32,
}

/// A hotel with a button.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HotelCard {
    name: DynamicValue<String>,
    location: DynamicValue<String>,
    rating: DynamicValue<f64>,
    price_per_night: DynamicValue<String>,
    action: SurfaceAction,
}

/// Counts the nights that the user has chosen. The page has this function.
#[derive(Serialize, JsonSchema)]
struct CountNights {
    hotel: DynamicValue<String>,
}

/// Returns the price for some nights. The agent has this function.
#[derive(Serialize, Deserialize, JsonSchema)]
struct QuotePrice {
    nights: u32,
}

/// The data of the surface.
#[derive(Serialize, SurfaceData)]
struct Hotels {
    hotels: Vec<Hotel>,
}

#[derive(Serialize, SurfaceData)]
struct Hotel {
    name: String,
    location: String,
    rating: f64,
    price: String,
}

/// The calls that the page has not answered.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Waiting {
    calls: PendingFunctionCalls,
}

/// The values that the button sends.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Booking {
    hotel_name: String,
}

/// Draws cards.
fn hotels(version: SurfaceVersion) -> Result<Surface, Stop> {
    let mut hotels = TypedSurface::<Cards, Hotels>::new("hotels");
    let at = hotels.data();
    let children = hotels.repeat(at.hotels(), |hotels, hotel| {
        hotels.add(HotelCard {
            name: hotel.name().bind(),
            location: hotel.location().bind(),
            rating: hotel.rating().bind(),
            price_per_night: hotel.price().bind(),
            action: SurfaceAction::event("book_hotel").bind("hotelName", &hotel.name()),
        })
    });
    let ritz = Hotel {
        name: "The Ritz".to_owned(),
        location: "Paris".to_owned(),
        rating: 4.8,
        price: "$450".to_owned(),
    };
    Ok(hotels.finish(Row { children, gap: 16 }, &Hotels { hotels: vec![ritz] }, version)?)
}

/// Draws the hotel with A2UI's basic catalog, for a page that has no cards.
fn basic_hotel() -> Result<Surface, Stop> {
    let layout = [
        SurfaceComponent::new("root", "Column").children(["name", "location", "price", "book"]),
        SurfaceComponent::new("name", "Text").bind("text", "/name"),
        SurfaceComponent::new("location", "Text").bind("text", "/location"),
        SurfaceComponent::new("price", "Text").bind("text", "/price"),
        SurfaceComponent::new("book", "Button")
            .child("label")
            .event("book_hotel", [("hotelName", json!({ "path": "/name" }))]),
        SurfaceComponent::new("label", "Text").with("text", "Book"),
    ];
    let ritz = json!({ "name": "The Ritz", "location": "Paris", "price": "$450" });
    Ok(Surface::new("hotel", ComponentCatalog::BASIC, layout).with_data(&ritz)?)
}

/// Answers the page's call.
fn answer(call: &AgentFunctionCall) -> FunctionResponse {
    let price = match call.read::<Cards, QuotePrice>() {
        Ok(Some(QuotePrice { nights })) => Ok(format!("${}", u64::from(nights) * 450).into()),
        Ok(None) => {
            Err(FunctionError::new(FunctionError::UNKNOWN_FUNCTION, "This agent has no such function."))
        }
        Err(invalid) => Err(invalid),
    };
    call.respond(price)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Shows a hotel, asks the page for the nights, quotes prices, and books.
#[agent(state = Waiting, activities = [Surface], catalogs = [Cards], forwarded = A2uiProps)]
pub async fn hotel_guide(run: &mut Run<HotelGuide>, input: Input<HotelGuide>) -> Result<(), Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    let page = input.forwarded::<A2uiProps>()?.unwrap_or_default();
    if let Some(call) = page.agent_function_call() {
        let mut answered = Surface::default();
        answered.push(answer(&call));
        drop(answered.show(run).await?);
        return Ok(());
    }
    if let Some(response) = page.function_response() {
        let settled = state.update(|waiting| waiting.calls.settle(&response, now())).await?;
        let text = match settled.map(|_| response.read::<u32>()) {
            Ok(Ok(nights)) => format!("You stay for {nights} nights."),
            Ok(Err(failed)) => format!("The page could not count the nights: {failed}"),
            Err(unexpected) => format!("Not counted: {unexpected}."),
        };
        run.say(text).await;
        return Ok(());
    }
    if let Some(action) = page.user_action().filter(|action| action.name == "book_hotel") {
        let booking: Booking = action.read_context()?;
        run.say(format!("{} is booked.", booking.hotel_name)).await;
        return Ok(());
    }
    let late = state.update(|waiting| waiting.calls.expire(now())).await?;
    let version = SurfaceVersion::of_run(run);
    // A page that says nothing is asked for cards.
    let has_cards = RendererCapabilities::of_client(&input)?.is_none_or(|page| page.draws(Cards::ID));
    let mut surface = if has_cards { hotels(version)? } else { basic_hotel()? };
    if has_cards && version >= SurfaceVersion::V1_0 {
        let nights = Cards::call(CountNights { hotel: "The Ritz".into() })?.into_function_call();
        let id = format!("nights-{}", input.run_id);
        let ask = |waiting: &mut Waiting| waiting.calls.call(id, nights, Duration::from_secs(60), now());
        let call = state.update(ask).await?;
        surface.push(call);
    }
    drop(surface.show(run).await?); // ACTIVITY_SNAPSHOT
    let silent = if late.is_empty() { "" } else { " The page never told me the nights." };
    run.say(format!("Here is a hotel, in A2UI {version}.{silent}")).await;
    Ok(())
}
