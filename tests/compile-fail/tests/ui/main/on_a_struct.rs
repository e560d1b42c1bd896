#![allow(unused)]

#[agui_runtime::main]
struct Program;

fn main() {}
