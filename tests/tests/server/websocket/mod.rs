//! Runs over one WebSocket: the frames, the limits, and clients that break the rules.

mod closing;
mod hostile;
mod long;
mod runs;
mod socket;
mod violations;
mod window;
mod wire;
