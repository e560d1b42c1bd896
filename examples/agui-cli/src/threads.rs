//! The threads that an agent's server stores: list, rename, archive, delete.

use std::io::{self, Write};
use std::time::SystemTime;

use agui_runtime::client::{StoredThread, ThreadChange, ThreadQuery};
use agui_runtime::protocol::Role;

use crate::arguments::{ThreadCommand, ThreadName};
use crate::connect::{self, CliError};
use crate::harmless::Harmless;
use crate::went::Went;

/// Does what the command says.
pub async fn threads(command: &ThreadCommand) -> Result<Went, CliError> {
    let mut output = io::stdout().lock();
    match command {
        ThreadCommand::List { archived, server } => {
            let agent = connect::agent(&server.url, &server.connection)?;
            let mut query = ThreadQuery::new();
            if *archived {
                query = query.with_archived();
            }
            loop {
                let page = agent.threads(&query).await?;
                for thread in &page.threads {
                    write_thread(&mut output, thread)?;
                }
                let Some(next) = page.next else { break };
                query = query.after(next);
            }
        }
        ThreadCommand::Rename { thread, title } => {
            let change = match title {
                Some(title) => ThreadChange::new().title(title),
                None => ThreadChange::new().without_title(),
            };
            write_thread(&mut output, &changed(thread, change).await?)?;
        }
        ThreadCommand::Archive { thread, undo } => {
            let change = ThreadChange::new().archived(!undo);
            write_thread(&mut output, &changed(thread, change).await?)?;
        }
        ThreadCommand::Delete { thread } => {
            let agent = connect::agent(&thread.url, &thread.connection)?;
            agent.delete_thread(&thread.id.as_str().into()).await?;
        }
    }
    Ok(Went::Well)
}

async fn changed(thread: &ThreadName, change: ThreadChange) -> Result<StoredThread, CliError> {
    let agent = connect::agent(&thread.url, &thread.connection)?;
    Ok(agent.change_thread(&thread.id.as_str().into(), &change).await?)
}

/// Writes a thread as one line: id, age, title, marks, last message.
fn write_thread(output: &mut impl Write, thread: &StoredThread) -> io::Result<()> {
    let title = thread.title.as_deref().unwrap_or("(no title)");
    write!(output, "{}\t{}\t{}", line(thread.thread_id.as_str()), age(thread.updated_at), line(title))?;
    let marks =
        [(thread.archived, "archived"), (thread.running, "running"), (thread.unreadable, "unreadable")];
    for (_, mark) in marks.iter().filter(|(is_marked, _)| *is_marked) {
        write!(output, " [{mark}]")?;
    }
    if !thread.open_interrupts.is_empty() {
        write!(output, " [asks]")?;
    }
    if let Some(last) = &thread.last_message {
        let who = if last.role == Role::User { "you" } else { "agent" };
        write!(output, "\t{who}: {}", line(&last.text))?;
    }
    writeln!(output)
}

/// One line of a server's text: columns stay columns.
fn line(text: &str) -> String {
    Harmless(text).to_string().replace(['\n', '\t'], " ")
}

/// The time since a change, in its largest unit.
fn age(changed: SystemTime) -> String {
    let seconds = SystemTime::now().duration_since(changed).unwrap_or_default().as_secs();
    let units = [(86_400, "d"), (3_600, "h"), (60, "min")];
    let unit = units.iter().find(|(unit, _)| seconds >= *unit);
    unit.map_or_else(|| format!("{seconds} s"), |(unit, name)| format!("{} {name}", seconds / unit))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn an_age_has_its_largest_unit() {
        let since = |seconds: u64| age(SystemTime::now() - Duration::from_secs(seconds));
        for (seconds, expected) in [(7_000, "1 h"), (100, "1 min"), (90_000, "1 d"), (864_100, "10 d")] {
            assert_eq!(since(seconds), expected);
        }
        assert_eq!(age(SystemTime::now() + Duration::from_secs(1_000)), "0 s", "a clock that is ahead");
        assert!(age(UNIX_EPOCH).ends_with(" d"));
    }
}
