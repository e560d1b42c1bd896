//! An agent behind bearer tokens: `MEMBERS="secret-1=Ada secret-2=Grace" cargo run -p members`; Ada's is `secret-1`.
use agui_runtime::{Server, http::Rejection, prelude::*};
use axum::{extract::Request, middleware, response::Response};

/// The customer of a request. Only `authenticate` makes one.
#[derive(Clone)]
struct Customer(String);

/// Looks up the orders of the customer who asks: a model has no argument to name another one.
#[tool]
async fn orders(who: &Customer) -> Vec<String> {
    vec![format!("a risotto for {}", who.0)] // as far as this example goes
}

/// Answers customers about their orders.
#[agent(tools = [orders])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>, #[request] who: &Customer) -> Result<(), Stop> {
    let orders = run.call(orders {}).await?.run().await;
    run.say(format!("{}, you ordered {}.", who.0, orders.join(" and "))).await;
    Ok(())
}

/// Lets members in, and attaches their names. Without `MEMBERS` there are no members.
async fn authenticate(mut request: Request, next: middleware::Next) -> Result<Response, Rejection> {
    let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    let customer = header.and_then(|value| customer_with(value.strip_prefix("Bearer ")?));
    request.extensions_mut().insert(customer.ok_or_else(|| Rejection::unauthenticated("members only"))?);
    Ok(next.run(request).await)
}
fn customer_with(token: &str) -> Option<Customer> {
    let members = std::env::var("MEMBERS").ok()?;
    let mut members = members.split_whitespace().filter_map(|member| member.split_once('='));
    members.find(|(known, _)| *known == token).map(|(_, name)| Customer(name.to_owned()))
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    let server = Server::new().agent("/", Desk::new()).identity(|who: &Customer| who.0.clone());
    server.layer(middleware::from_fn(authenticate)).serve().await
}
