//! Made without its dependencies.
//!
//! error: this function takes 1 argument but 0 arguments were supplied
//! write: Chef::new(/* Shop */)

use crate::kit::*;

fn mistake() -> Chef {
    Chef::new()
}
