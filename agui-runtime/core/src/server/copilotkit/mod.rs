//! The routes that CopilotKit's pages ask for: its runtime's protocol, over the same agents, limits, identities and stores.
//!
//! ```text
//! GET, POST base/… ─▶ routes ──┬─▶ run, connect, stop: the agent's own routes
//! POST base ─▶ envelope ───────┘   └─ info, thread_*: what only these pages ask for
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `mount` | [`Server::copilotkit`](super::Server::copilotkit), and the agents' ids |
//! | `routes` | the routes |
//! | `envelope` | all routes behind one address (`useSingleEndpoint`) |
//! | `info` | the server's description |
//! | `runs` | runs, connections, stops |
//! | `suggestions` | runs that leave no trace |
//! | `thread_views` | threads as these pages read them |
//! | `thread_changes` | threads as these pages list, rename, archive and delete them |
//! | `refusal` | refusals in the form of CopilotKit's runtime |

mod envelope;
mod info;
mod mount;
mod refusal;
mod routes;
mod runs;
mod suggestions;
mod thread_changes;
mod thread_views;

pub(super) use mount::{MountedCopilotKit, check, paths};
pub(super) use routes::routes;
