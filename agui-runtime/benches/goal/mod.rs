//! The goals, and the results.

use std::fmt::Display;

/// The goals and their results.
#[derive(Default)]
pub struct Goals {
    lines: Vec<String>,
    missed: usize,
    has_wrong: bool,
    has_missed_ratio: bool,
}

impl Goals {
    /// A ratio with an upper limit.
    pub fn at_most(&mut self, goal: &str, what: impl Display, found: f64, most: f64) {
        self.has_missed_ratio |= found > most;
        self.line(goal, &format!("{what}: {found:.2}, at most {most}"), found <= most);
    }

    /// A ratio with a lower limit.
    pub fn at_least(&mut self, goal: &str, what: impl Display, found: f64, least: f64) {
        self.has_missed_ratio |= found < least;
        self.line(goal, &format!("{what}: {found:.2}, at least {least}"), found >= least);
    }

    /// Nanoseconds with an upper limit on a machine on which `floor` takes a given time: they depend on the machine as
    /// much as on us.
    pub fn time(&mut self, goal: &str, what: impl Display, found: f64, most: f64, floor: (&str, f64)) {
        let (name, floor) = floor;
        let line = format!(
            "{what}: {found:.1} ns, at most {most}; {:.1} times {name}, which takes {floor:.1}",
            found / floor
        );
        self.line(goal, &line, found <= most);
    }

    /// An exact value.
    pub fn exactly<V: PartialEq + std::fmt::Debug>(
        &mut self,
        goal: &str,
        what: impl Display,
        found: &V,
        wanted: &V,
    ) {
        let is_so = found == wanted;
        self.has_wrong |= !is_so;
        self.line(goal, &format!("{what}: {found:?}, to be {wanted:?}"), is_so);
    }

    fn line(&mut self, goal: &str, text: &str, is_met: bool) {
        self.missed += usize::from(!is_met);
        self.lines.push(format!("{goal:4} {} {text}", if is_met { "pass" } else { "MISS" }));
    }

    /// True if an exact value, which no machine can change, was wrong.
    pub fn has_wrong(&self) -> bool {
        self.has_wrong
    }

    /// The same, or a missed ratio, which no machine should change.
    pub fn has_missed(&self) -> bool {
        self.has_wrong || self.has_missed_ratio
    }

    pub fn print(&self) {
        println!("\ngoals");
        self.lines.iter().for_each(|line| println!("{line}"));
        println!("{} of {} missed", self.missed, self.lines.len());
    }
}
