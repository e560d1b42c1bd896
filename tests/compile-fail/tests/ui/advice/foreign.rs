//! The mistakes with types of other crates, whose names would change how the compiler writes those of all others.

#![allow(unused)]

mod kit;

mod types {
    mod schema_of_an_older_schemars;
    mod uuid_without_the_feature;
}

fn main() {}
