//! The table: each row has the figures of all servers, and the goal for ours.

use crate::servers::{ENCODED, HYPER, OURS, SERVERS};

/// A row of the table.
pub struct Row {
    pub name: String,
    pub goal: Goal,
    /// The figures of each server, in the order of [`SERVERS`], one for each round.
    pub figures: Vec<Vec<f64>>,
}

/// The most that our figure may be.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    AtMost(f64),
    /// A multiple of the figure of a peer.
    Times(f64, &'static str),
}

impl Row {
    pub fn new(name: impl Into<String>, goal: Goal) -> Self {
        Self { name: name.into(), goal, figures: vec![Vec::new(); SERVERS.len()] }
    }

    /// Returns the figure of a server: the best of all rounds, because other programs only add to it.
    fn best(&self, server: &str) -> f64 {
        let at = SERVERS.iter().position(|other| *other == server);
        let figures = at.and_then(|at| self.figures.get(at)).into_iter().flatten();
        figures.copied().fold(f64::INFINITY, f64::min)
    }

    fn most(&self) -> f64 {
        match self.goal {
            Goal::AtMost(most) => most,
            Goal::Times(factor, peer) => factor * self.best(peer),
        }
    }

    fn is_met(&self) -> bool {
        self.best(OURS) <= self.most()
    }
}

impl Goal {
    fn text(self) -> String {
        match self {
            Self::AtMost(most) => most.to_string(),
            Self::Times(1.0, HYPER) => "hyper's".to_owned(),
            Self::Times(factor, ENCODED) => format!("{factor} × axum encoded"),
            Self::Times(factor, peer) => format!("{factor} × {peer}"),
        }
    }
}

/// Prints the table, as Markdown. Returns the names of the rows whose goal is missed.
pub fn print(rows: &[Row]) -> Vec<&str> {
    println!("\n| | {} | goal |", SERVERS.join(" | "));
    println!("|---|{}---|", "---|".repeat(SERVERS.len()));
    for row in rows {
        let figures: Vec<_> = SERVERS.iter().map(|server| number(row.best(server))).collect();
        let verdict = if row.is_met() { "met" } else { "MISSED" };
        let goal = format!("≤ {} = {}", row.goal.text(), number(row.most()));
        println!("| {} | {} | {goal}: {verdict} |", row.name, figures.join(" | "));
    }
    rows.iter().filter(|row| !row.is_met()).map(|row| row.name.as_str()).collect()
}

fn number(figure: f64) -> String {
    if figure < 1.0 {
        format!("{figure:.3}")
    } else if figure < 10.0 {
        format!("{figure:.2}")
    } else {
        format!("{figure:.1}")
    }
}
