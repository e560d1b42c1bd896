//! The cards that the surfaces consist of, and what they show.

use agui_runtime::a2ui::SurfaceComponent;
use serde_json::{Value, json};

/// The catalog of the pages: cards for flights, hotels, products and people.
pub const CATALOG: &str = "https://a2ui.org/demos/dojo/custom_catalog.json";

/// A row of cards, one for each element of a list in the data.
pub fn row(path: &str) -> SurfaceComponent {
    SurfaceComponent::new("root", "Row").for_each(path, "card").with("gap", 16)
}

pub fn flight_card() -> SurfaceComponent {
    let shown = [
        "airline",
        "airlineLogo",
        "flightNumber",
        "origin",
        "destination",
        "date",
        "departureTime",
        "arrivalTime",
        "duration",
        "status",
        "price",
    ];
    let card = SurfaceComponent::new("card", "FlightCard");
    shown.into_iter().fold(card, |card, property| card.bind(property, property)).event(
        "book_flight",
        [("flightNumber", json!({ "path": "flightNumber" })), ("price", json!({ "path": "price" }))],
    )
}

pub fn hotel_card() -> SurfaceComponent {
    SurfaceComponent::new("card", "HotelCard")
        .bind("name", "name")
        .bind("location", "location")
        .bind("rating", "rating")
        .bind("pricePerNight", "price")
        .event(
            "book_hotel",
            [("hotelName", json!({ "path": "name" })), ("price", json!({ "path": "price" }))],
        )
}

pub fn member_card() -> SurfaceComponent {
    SurfaceComponent::new("card", "TeamMemberCard")
        .bind("name", "name")
        .bind("role", "role")
        .bind("department", "department")
        .event("contact", [("name", json!({ "path": "name" }))])
}

pub fn hotels() -> Value {
    json!([
        { "name": "The Ritz", "location": "Paris", "rating": 4.8, "price": "$450/night" },
        { "name": "Holiday Inn", "location": "Austin", "rating": 4.1, "price": "$180/night" },
        { "name": "Boutique Loft", "location": "Lisbon", "rating": 4.6, "price": "$320/night" },
    ])
}

pub fn team() -> [Value; 4] {
    [
        json!({ "name": "Alice Chen", "role": "Engineering Lead", "department": "Engineering" }),
        json!({ "name": "Bob Martinez", "role": "Product Designer", "department": "Design" }),
        json!({ "name": "Carol Davis", "role": "Backend Engineer", "department": "Engineering" }),
        json!({ "name": "Dan Wilson", "role": "DevOps Engineer", "department": "Infrastructure" }),
    ]
}
