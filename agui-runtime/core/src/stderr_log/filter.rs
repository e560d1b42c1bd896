//! Log levels by event target.

use tracing::Level;
use tracing::level_filters::LevelFilter;

/// The levels in `RUST_LOG`: one for all targets, and one each for named targets; the longest matching name wins.
pub(super) struct LogFilter {
    all: LevelFilter,
    /// The longest first.
    named: Vec<(String, LevelFilter)>,
}

impl LogFilter {
    /// Parses levels such as `warn,agui_runtime=debug`, and returns the malformed parts. A text without a level enables warnings
    /// and errors; a text that sets levels only for some targets enables nothing else.
    pub(super) fn parse(text: &str) -> (Self, Vec<String>) {
        let (mut all, mut named, mut unread) = (None, Vec::new(), Vec::new());
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some((target, level)) => match (is_target(target), level.trim().parse()) {
                    (true, Ok(level)) => named.push((target.trim().to_owned(), level)),
                    _ => unread.push(part.to_owned()),
                },
                None => match part.parse() {
                    Ok(level) => all = Some(level),
                    Err(_) if is_target(part) => named.push((part.to_owned(), LevelFilter::TRACE)),
                    Err(_) => unread.push(part.to_owned()),
                },
            }
        }
        let default = if named.is_empty() { LevelFilter::WARN } else { LevelFilter::OFF };
        named.sort_by_key(|(target, _)| std::cmp::Reverse(target.len()));
        (Self { all: all.unwrap_or(default), named }, unread)
    }

    pub(super) fn enables(&self, target: &str, level: Level) -> bool {
        let of_target = self.named.iter().find(|(name, _)| is_within(target, name));
        level <= of_target.map_or(self.all, |(_, level)| *level)
    }

    /// Returns the most detailed level of any target.
    pub(super) fn highest(&self) -> LevelFilter {
        self.named.iter().map(|(_, level)| *level).fold(self.all, LevelFilter::max)
    }
}

/// True for a module path. Span names, in `[…]`, are not supported.
fn is_target(text: &str) -> bool {
    let is_of_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '-' | '.');
    !text.trim().is_empty() && text.trim().chars().all(is_of_path)
}

/// The facade, whose users name modules by its paths.
const FACADE: &str = "agui_runtime";

/// The ends of the names of the facade's packages, each with the module that the package is in the facade.
const PACKAGES: [(&str, &str); 6] = [
    ("_core", ""),
    ("_mcp", "::mcp"),
    ("_postgres", "::thread::postgres"),
    ("_providers", "::provider"),
    ("_redis", "::thread::redis"),
    ("_sqlite", "::thread::sqlite"),
];

/// True for a module and nested modules.
fn is_within(target: &str, name: &str) -> bool {
    let is_below = |path: &str, name: &str| {
        path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let is_in_package = || {
        let (packaged, name) = (target.strip_prefix(FACADE)?, name.strip_prefix(FACADE)?);
        PACKAGES.iter().find_map(|(package, module)| {
            let path = packaged.strip_prefix(package)?;
            let inner = name.strip_prefix(module);
            Some(inner.map_or_else(|| is_below(module, name), |inner| is_below(path, inner)))
        })
    };
    is_below(target, name) || is_in_package().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_of_the_facade_name_modules_of_its_packages() {
        let rows = [
            ("agui_runtime_core::server::run", "agui_runtime", true),
            ("agui_runtime_sqlite::writer", "agui_runtime", true),
            ("agui_runtime_sqlite::writer", "agui_runtime::thread", true),
            ("agui_runtime_sqlite::writer", "agui_runtime::threads", false),
            ("agui_runtime_mcp::client", "agui_runtime::mcp", true),
            ("agui_runtime_mcp::client", "agui_runtime::mcp::client", true),
            ("agui_runtime_mcp::client", "agui_runtime::mcp::server", false),
            ("agui_runtime_mcp::client", "agui_runtime::model", false),
            ("agui_runtime_providers", "agui_runtime::provider", true),
            ("agui_runtime_core::server::run", "agui_runtime::server", true),
            ("agui_runtime_core::server", "agui_runtime::server", true),
            ("agui_runtime_core::servers", "agui_runtime::server", false),
            ("agui_runtime_core::server", "agui_runtime_core::server", true),
            ("agui_runtime_core::server", "agui_run", false),
            ("agui_runtime2", "agui_runtime", false),
            ("mine_core::server", "mine::server", false),
        ];
        for (target, name, is) in rows {
            assert_eq!(is_within(target, name), is, "{target} {name}");
        }
    }

    #[test]
    fn levels_are_read_as_other_programs_read_them() {
        for (text, expected) in [
            ("", "warn, ours warn, most warn, unread "),
            ("off", "off, ours off, most off, unread "),
            ("INFO", "info, ours info, most info, unread "),
            ("info,ours=trace", "info, ours trace, most trace, unread "),
            (" ours = debug , error", "error, ours debug, most debug, unread "),
            ("ours", "off, ours trace, most trace, unread "),
            ("ours=off,ours::log=trace", "off, ours trace, most trace, unread "),
            ("ours::log=trace,ours=off,warn", "warn, ours trace, most trace, unread "),
            ("ours::lo=trace,warn", "warn, ours warn, most trace, unread "),
            (
                "loud?,ours=loud,[span]=debug",
                "warn, ours warn, most warn, unread loud?;ours=loud;[span]=debug",
            ),
        ] {
            let (filter, unread) = LogFilter::parse(text);
            let of = |target: &str| {
                let levels = [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE];
                let most = levels.into_iter().filter(|level| filter.enables(target, *level)).max();
                most.map_or("off".to_owned(), |level| level.to_string().to_lowercase())
            };
            let most = filter.highest().to_string();
            let read = format!(
                "{}, ours {}, most {most}, unread {}",
                of("theirs"),
                of("ours::log"),
                unread.join(";")
            );
            assert_eq!(read, expected, "{text}");
        }
    }
}
