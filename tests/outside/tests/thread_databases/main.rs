//! The engines of threads, whose servers are started, cut off, paused and killed, and faults that the official client judges.

mod balanced;
mod cluster;
mod described;
mod executor;
mod failed_answers;
mod failover;
mod faults;
mod killed;
mod official;
mod points;
mod pooler;
mod postgres;
mod proxy;
mod races;
mod readers;
mod redis;
mod schedules;
mod tls;
mod unwritable;
mod webhooks;
