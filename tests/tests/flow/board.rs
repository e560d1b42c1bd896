//! A board of cards, with the types that people use: ids, dates, prices, notes by id. Helpers in another module reach the
//! agent's dependencies.

use std::collections::{BTreeSet, HashMap};

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, NonNull, RunAgentInput};
use agui_runtime::state::MapKey;
use agui_runtime::testing;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

/// The id of a card.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CardId(Uuid);

impl MapKey for CardId {}

/// Something to do.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Card {
    id: Uuid,
    title: String,
    created_at: DateTime<Utc>,
    due: Option<NaiveDate>,
    tags: BTreeSet<String>,
    price: Decimal,
}

/// A column of the board.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
struct Column {
    #[state(key)]
    name: String,
    #[state(key = "id")]
    cards: Vec<Card>,
}

/// A remark about a card.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
struct Note {
    text: String,
    at: DateTime<Utc>,
}

/// The board.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default, PartialEq)]
struct Board {
    columns: Vec<Column>,
    notes: HashMap<CardId, Note>,
}

/// The days of the office.
struct Calendar {
    today: NaiveDate,
}

/// Keeps a board.
#[agent(state = Board)]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>, calendar: &Calendar) -> Result<(), Stop> {
    let board = run.state().adopt_or_snapshot(&input).await?;
    board
        .update(|board| {
            let card = board.columns[0].cards.remove(1);
            board.columns[1].cards.push(card);
        })
        .await?;
    board
        .update(|board| {
            let mut card = board.columns[1].cards.remove(0);
            card.due = Some(calendar.today);
            let note = Note { text: "moved back".to_owned(), at: card.created_at };
            board.notes.insert(CardId(card.id), note);
            board.columns[0].cards.insert(0, card);
            let other = &mut board.columns[0].cards[1];
            other.tags.insert("late".to_owned());
            other.price += Decimal::new(5, 1);
        })
        .await?;
    helpers::remind(run).await;
    helpers::remind_any(run).await;
    Ok(())
}

/// Another module.
mod helpers {
    use agui_runtime::{Agent, Run};

    use super::{Calendar, Keeper};

    pub(super) async fn remind(run: &Run<Keeper>) {
        run.say(format!("Today is {}.", run.agent().calendar.today)).await;
    }

    pub(super) async fn remind_any<A: Agent + AsRef<Calendar>>(run: &Run<A>) {
        let calendar: &Calendar = run.agent().as_ref();
        run.say(format!("It is still {}.", calendar.today)).await;
    }
}

fn card(number: u128) -> Card {
    Card {
        id: Uuid::from_u128(number),
        title: format!("Card {number}"),
        created_at: DateTime::UNIX_EPOCH,
        due: None,
        tags: BTreeSet::from(["home".to_owned()]),
        price: Decimal::new(1250, 2),
    }
}

fn board() -> Board {
    let column = |name: &str, cards: Vec<Card>| Column { name: name.to_owned(), cards };
    Board {
        columns: vec![column("to do", vec![card(1), card(2)]), column("done", vec![card(3)])],
        notes: HashMap::new(),
    }
}

#[test]
fn a_card_that_changes_its_column_is_moved() {
    let calendar = Calendar { today: NaiveDate::from_ymd_opt(2026, 8, 22).unwrap() };
    let mut input = RunAgentInput::new("thread", "run", vec![]);
    input.state = NonNull::new(serde_json::to_value(board()).unwrap());
    let events = futures::executor::block_on(testing::run(Keeper::new(calendar), input));
    let deltas: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::StateDelta(delta) => Some(serde_json::to_value(&delta.delta).unwrap()),
            _ => None,
        })
        .collect();
    let id = Uuid::from_u128(3);
    assert_eq!(
        deltas,
        [
            json!([{ "op": "move", "from": "/columns/0/cards/1", "path": "/columns/1/cards/1" }]),
            json!([
                { "op": "add", "path": "/columns/0/cards/0/tags/-", "value": "late" },
                { "op": "add", "path": "/columns/0/cards/0/price", "value": "13.00" },
                { "op": "move", "from": "/columns/1/cards/0", "path": "/columns/0/cards/0" },
                { "op": "add", "path": "/columns/0/cards/0/due", "value": "2026-08-22" },
                {
                    "op": "add",
                    "path": format!("/notes/{id}"),
                    "value": { "text": "moved back", "at": "1970-01-01T00:00:00Z" },
                },
            ]),
        ]
    );
    assert_eq!(testing::texts(&events), ["Today is 2026-08-22.", "It is still 2026-08-22."]);
}
