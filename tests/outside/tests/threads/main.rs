//! The engines of threads on servers of other projects, which are started, cut off, paused and killed.

mod cluster;
mod executor;
mod faults;
mod killed;
mod official;
mod points;
mod postgres;
mod proxy;
mod races;
mod redis;
mod schedules;
mod tls;
