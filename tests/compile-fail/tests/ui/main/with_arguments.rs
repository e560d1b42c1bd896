#![allow(unused)]

#[agui_runtime::main]
async fn main(arguments: Vec<String>) {}
