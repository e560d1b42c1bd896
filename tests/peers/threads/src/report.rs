//! The table: figures beside their goals.

/// The rows that were printed.
#[derive(Debug, Default)]
pub struct Report {
    missed: Vec<String>,
}

impl Report {
    pub fn section(&self, title: &str) {
        println!("\n{title}");
    }

    /// Prints a figure that has no goal.
    pub fn figure(&self, name: &str, figure: &str) {
        println!("  {name:<58} {figure}");
    }

    /// Prints a figure with the most that it may be.
    pub fn goal(&mut self, name: &str, measured: f64, most: f64, unit: &str) {
        let met = measured <= most;
        let verdict = if met { "met" } else { "MISSED" };
        println!("  {name:<58} {measured:>8.2} {unit:<4} goal {most} {unit}: {verdict}");
        if !met {
            self.missed.push(name.to_owned());
        }
    }

    /// The names of the rows whose goal was missed.
    pub fn missed(&self) -> &[String] {
        &self.missed
    }
}

/// The figure in the middle.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
