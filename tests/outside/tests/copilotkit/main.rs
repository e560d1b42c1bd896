//! Agents behind CopilotKit, which still ships a legacy client: every route of the tour, and every example.
//!
//! | module | subject |
//! |---|---|
//! | `a2ui` | surfaces of A2UI by its official packages: the toolkit's check, the core that draws, the middleware |
//! | `approval` | the approval of a call on a page with the generated hooks, and with each generation of the official client |
//! | `compact` | `compactEvents` of both official clients, which CopilotKit's runtime calls at the end of each run and does not guard |
//! | `control` | restarts of servers by a script in the browser |
//! | `desk` | the page of its quickstart over the example `desk`, served by `files` |
//! | `errors` | runs that fail from outside: by their server, by a handler, by an event that cannot be sent |
//! | `frontend` | frontend tools in a chat: the page answers, and the model reads the call with its result |
//! | `mcp_apps` | MCP Apps: an official server, the page and the app, and the official middleware beside an agent of ours |
//! | `stored` | a page that is loaded again, over a server that stores its threads; restarts of the server and of CopilotKit's runtime |
//! | `starter` | the page of its quickstart, with the address of our server |
//! | `threads` | the hook `useThreads` of its page, without its runtime |
//! | `runtime` | CopilotKit's own runtime: its process lives, every run ends, every thread can be loaded again |
//! | `page` | CopilotKit's page in Chromium: the screen at the end |
//! | `versions` | the older versions of that page |
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod a2ui;
mod approval;
mod compact;
mod control;
mod desk;
mod errors;
mod files;
mod frontend;
mod mcp_apps;
mod page;
mod places;
mod runtime;
mod starter;
mod stored;
mod threads;
mod versions;
