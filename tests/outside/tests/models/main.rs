//! Models over HTTP against others' programs: CopilotKit's mock of model providers, and the providers' types of requests.

mod agent;
mod faults;
mod shapes;
mod strict;
mod talks;
mod types;
