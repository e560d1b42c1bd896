//! Pages and hosts: which of them a server answers.
//!
//! | file | content |
//! |---|---|
//! | `gate` | the first check of a request: its page's origin, and the host that it names |
//! | `cors` | the allowed origins, and the headers for browsers |
//! | `loopback` | names and addresses of this machine |

pub(super) mod cors;
pub(super) mod gate;
pub(super) mod loopback;
