//! Other contracts than AG-UI that its agents can speak.

pub mod snake_case;
