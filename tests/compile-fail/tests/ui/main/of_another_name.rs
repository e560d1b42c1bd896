#![allow(unused)]

#[agui_runtime::main]
async fn start() {}

fn main() {
    start();
}
