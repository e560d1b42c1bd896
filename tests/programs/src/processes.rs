//! The processor time and the memory of processes, as the kernel of Linux counts them.

use std::fs;
use std::time::Duration;

/// The ticks in a second of the times in `/proc`: the same on every Linux.
const TICKS: u64 = 100;

/// A process with all its descendants.
///
/// ```no_run
/// let own = agui_programs::Processes::of(std::process::id());
/// println!("{:?} of processor time, {} bytes", own.processor_time(), own.resident_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Processes(u32);

/// The fields of `/proc/<process>/stat` that matter here.
struct Stat {
    process: u32,
    parent: u32,
    ticks: u64,
}

impl Processes {
    /// The process of this number, and those that descend from it.
    #[must_use]
    pub fn of(root: u32) -> Self {
        Self(root)
    }

    /// The processor time until now, in the program and in the kernel. Time of descendants that have ended counts if
    /// their parent has waited for them.
    #[must_use]
    pub fn processor_time(self) -> Duration {
        let ticks: u64 = self.stats().iter().map(|stat| stat.ticks).sum();
        Duration::from_millis(ticks * 1_000 / TICKS)
    }

    /// The memory of the root process that is in RAM, without pages of files and without what it shares.
    #[must_use]
    pub fn resident_bytes(self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kibibytes.map_or_else(|| panic!("process {} has no memory: it has ended", self.0), |size| size * 1024)
    }

    fn stats(self) -> Vec<Stat> {
        let entries = fs::read_dir("/proc").unwrap_or_else(|cause| panic!("/proc: {cause}"));
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut others: Vec<_> = numbers.filter_map(stat).collect();
        let mut family: Vec<_> = others.extract_if(.., |stat| stat.process == self.0).collect();
        assert!(!family.is_empty(), "process {} has ended", self.0);
        let mut at = 0;
        while let Some(parent) = family.get(at).map(|stat| stat.process) {
            family.extend(others.extract_if(.., |stat| stat.parent == parent));
            at += 1;
        }
        family
    }
}

/// `None` if the process has ended meanwhile.
fn stat(process: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may have any characters.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<_> = fields.split_whitespace().collect();
    let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
    // Those of the process and of its children, each in the program and in the kernel.
    let ticks = (11..=14).map(number).sum::<Option<u64>>()?;
    Some(Stat { process, parent: number(1)?.try_into().ok()?, ticks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_time_of_a_descendant_counts() {
        let busy = "(while :; do :; done) & echo; wait";
        let mut shell = Command::new("bash").args(["-c", busy]).spawn().unwrap();
        let processes = Processes::of(shell.id());
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while processes.processor_time() < Duration::from_millis(200) {
            assert!(std::time::Instant::now() < end, "{:?}", processes.processor_time());
        }
        let busy: Vec<_> = processes.stats().into_iter().filter(|stat| stat.parent == shell.id()).collect();
        assert_eq!(busy.len(), 1);
        let killed = Command::new("kill").arg(busy[0].process.to_string()).status().unwrap();
        assert!(killed.success());
        assert!(shell.wait().is_ok());
    }

    #[test]
    fn memory_that_is_used_counts() {
        let own = Processes::of(std::process::id());
        let before = own.resident_bytes();
        let held = vec![1_u8; 64 << 20];
        let grown = own.resident_bytes() - before;
        assert!(grown > 60 << 20, "{grown}");
        assert_eq!(held.iter().map(|byte| usize::from(*byte)).sum::<usize>(), 64 << 20);
    }
}
