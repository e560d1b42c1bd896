#![allow(unused)]

#[agui_runtime::main]
fn main() {}
