//! Byte budget for all request bodies together.
//!
//! A body takes its length, which stands for eight times as much memory. Untyped values may need more: an eighth of the excess is
//! taken too.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ConnectInfo;
use http::StatusCode;
use http::request::Parts;

use super::server_limits::Limits;
use crate::protocol::any_json::allowance::MemoryShare;
use crate::server::metrics;
use crate::server::response::rejection::Rejection;

/// Bodies up to this length may use the reserved part of the budget, so that a few large bodies do not keep out all other clients.
const SMALL: usize = 64 * 1024;

/// A client for which runs and large bodies are limited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::server) enum ClientKey {
    Identity(Arc<str>),
    Address(IpAddr),
}

impl ClientKey {
    /// Returns a request's client: the identity if the server knows one, or else the address.
    pub(in crate::server) fn from_request(parts: &Parts, identity: Option<&str>) -> Option<Self> {
        let address =
            parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| Self::from_address(info.0.ip()));
        identity.map(|identity| Self::Identity(identity.into())).or(address)
    }

    /// Returns an address's client. An IPv6 network is one client, because a network's owner may use any address in it.
    pub(in crate::server) fn from_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
            address => address,
        })
    }
}

/// Bytes of all bodies that are being read or whose runs go on.
pub(in crate::server) struct BodyBudget {
    limit: usize,
    /// The part that bodies over [`SMALL`] may fill.
    large: usize,
    /// The part that one client's bodies over [`SMALL`] may fill.
    of_client: usize,
    taken: AtomicUsize,
    /// Bytes in bodies over [`SMALL`], by client.
    clients: Mutex<HashMap<ClientKey, usize>>,
}

impl BodyBudget {
    pub(in crate::server) fn new(limits: &Limits) -> Arc<Self> {
        // A body within the limit for one must not be refused by an idle server.
        let limit = limits.total_body_size.max(limits.body_size);
        let large = (limit - limit / 4).max(limits.body_size);
        let of_client = limits.body_size_per_client.unwrap_or(limit / 4).max(limits.body_size);
        Arc::new(Self { limit, large, of_client, taken: AtomicUsize::new(0), clients: Mutex::default() })
    }

    /// Returns an empty share for one body. `client` is `None` if unknown.
    pub(in crate::server) fn share(self: &Arc<Self>, client: Option<ClientKey>) -> BodyShare {
        BodyShare { budget: Arc::clone(self), client, len: AtomicUsize::new(0) }
    }

    /// Returns the limit for the sum if one body has this length.
    fn limit_for_len(&self, len: usize) -> usize {
        if len <= SMALL { self.limit } else { self.large }
    }

    /// Takes bytes for a client, if the client has as many left.
    fn take_for_client(&self, client: &ClientKey, bytes: usize) -> bool {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = clients.get(client).copied().unwrap_or_default();
        let fits = taken.checked_add(bytes).filter(|taken| *taken <= self.of_client);
        if let Some(taken) = fits {
            clients.insert(client.clone(), taken);
        }
        fits.is_some()
    }

    fn give_back_of(&self, client: &ClientKey, bytes: usize) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut taken) = clients.entry(client.clone()) {
            *taken.get_mut() = taken.get().saturating_sub(bytes);
            if *taken.get() == 0 {
                taken.remove();
            }
        }
    }

    fn refuse_client(&self) -> Rejection {
        Rejection::new(
            StatusCode::TOO_MANY_REQUESTS,
            "client_busy",
            format!(
                "your inputs have reached the limit of {} bytes for one client: try again later",
                self.of_client
            ),
        )
        .retry_after(1)
    }

    fn refuse(&self) -> Rejection {
        Rejection::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "server_busy",
            format!(
                "the inputs of all runs have reached this server's limit of {} bytes: try again later",
                self.limit
            ),
        )
        .retry_after(1)
    }
}

/// One body's bytes in the budget; dropping the share returns them.
pub(in crate::server) struct BodyShare {
    budget: Arc<BodyBudget>,
    client: Option<ClientKey>,
    len: AtomicUsize,
}

impl BodyShare {
    /// Returns the body's client; `None` if unknown.
    pub(in crate::server) fn client(&self) -> Option<&ClientKey> {
        self.client.as_ref()
    }

    /// Refuses a body that announces more bytes than the budget has left. Takes nothing: a client that announces bytes and does
    /// not send them must not keep others out.
    pub(in crate::server) fn check(&self, announced: usize) -> Result<(), Rejection> {
        let taken = self.budget.taken.load(Ordering::Relaxed);
        if taken.saturating_add(announced) <= self.budget.limit_for_len(announced) {
            Ok(())
        } else {
            Err(self.budget.refuse())
        }
    }

    /// Takes `more` bytes, which have arrived or stand for additional memory.
    pub(in crate::server) fn grow(&self, more: usize) -> Result<(), Rejection> {
        let before = self.len.load(Ordering::Relaxed);
        let len = before.saturating_add(more);
        let of_client = large_bytes(len) - large_bytes(before);
        if let Some(client) = self.client.as_ref().filter(|_| of_client > 0)
            && !self.budget.take_for_client(client, of_client)
        {
            return Err(self.budget.refuse_client());
        }
        let limit = self.budget.limit_for_len(len);
        let fits = |taken: usize| taken.checked_add(more).filter(|taken| *taken <= limit);
        if self.budget.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_err() {
            if let Some(client) = &self.client {
                self.budget.give_back_of(client, of_client);
            }
            return Err(self.budget.refuse());
        }
        self.len.store(len, Ordering::Relaxed);
        metrics::body_grew(more);
        Ok(())
    }

    /// Returns bytes that were taken.
    pub(in crate::server) fn shrink(&self, less: usize) {
        let before = self.len.load(Ordering::Relaxed);
        let less = less.min(before);
        self.len.store(before - less, Ordering::Relaxed);
        if let Some(client) = &self.client {
            self.budget.give_back_of(client, large_bytes(before) - large_bytes(before - less));
        }
        self.budget.taken.fetch_sub(less, Ordering::Relaxed);
        metrics::body_released(less);
    }
}

/// Returns the bytes that count against the large-body limits for a body with this length.
fn large_bytes(len: usize) -> usize {
    if len <= SMALL { 0 } else { len }
}

impl MemoryShare for BodyShare {
    fn take(&self, bytes: usize) -> bool {
        self.grow(bytes).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.shrink(bytes);
    }
}

impl fmt::Debug for BodyShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("len", &self.len).field("client", &self.client).finish_non_exhaustive()
    }
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        self.shrink(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: usize = 1024;

    fn budget(total: usize, one: usize) -> Arc<BodyBudget> {
        BodyBudget::new(&Limits::default().total_body_size(total).body_size(one))
    }

    fn client(last: u8) -> Option<ClientKey> {
        Some(ClientKey::from_address([10, 0, 0, last].into()))
    }

    #[test]
    fn one_client_fills_a_quarter_with_large_bodies_and_others_have_the_rest() {
        let budget = budget(1000 * KB, 100 * KB);
        let take = |client: Option<ClientKey>, len: usize| {
            let share = budget.share(client);
            share.grow(len).map(|()| share)
        };
        let first: Vec<_> = (0..10).filter_map(|_| take(client(1), 100 * KB).ok()).collect();
        assert_eq!(first.len(), 2, "200 of 250 KB are taken");
        assert!(take(client(1), SMALL).is_ok(), "small bodies are not counted");
        let others: Vec<_> = (2..10).filter_map(|last| take(client(last), 100 * KB).ok()).collect();
        assert_eq!(others.len(), 5, "the share of large bodies is full");
        assert!(others[0].grow(1).is_ok());
        drop((first, others));
        let again: Vec<_> = (0..10).filter_map(|_| take(client(1), 100 * KB).ok()).collect();
        assert_eq!(again.len(), 2);
        again[0].shrink(60 * KB);
        assert_eq!(budget.clients.lock().unwrap()[&client(1).unwrap()], 100 * KB, "the other one");
        drop(again);
        assert!(budget.clients.lock().unwrap().is_empty());
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_client_is_an_address_or_a_network() {
        let at = |address: &str| ClientKey::from_address(address.parse().unwrap());
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
        assert_eq!(at("10.0.0.1"), at("::ffff:10.0.0.1"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
    }

    #[test]
    fn small_bodies_have_room_when_large_ones_are_refused() {
        let budget = budget(1000 * KB, 500 * KB);
        let (first, second) = (budget.share(None), budget.share(None));
        first.grow(500 * KB).unwrap();
        second.grow(250 * KB).unwrap();
        assert!(second.grow(1).is_err() && budget.share(None).check(SMALL + 1).is_err());
        let small: Vec<_> = (0..3)
            .map(|_| {
                let small = budget.share(None);
                small.check(SMALL).unwrap();
                small.grow(SMALL).unwrap();
                small
            })
            .collect();
        assert!(budget.share(None).grow(SMALL).is_err(), "the limit holds for small bodies too");
        drop((first, second, small));
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn an_announcement_takes_nothing_and_a_refused_body_keeps_its_bytes() {
        let budget = budget(100 * KB, 100 * KB);
        let share = budget.share(None);
        share.check(100 * KB).unwrap();
        assert!(share.check(100 * KB + 1).is_err() && share.check(usize::MAX).is_err());
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
        share.grow(90 * KB).unwrap();
        assert!(share.grow(11 * KB).is_err() && share.grow(usize::MAX).is_err());
        share.grow(10 * KB).unwrap();
        drop(share);
        assert_eq!(budget.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_body_within_the_limit_for_one_fits_an_idle_server() {
        for (total, one) in [(0, 10 * KB), (100 * KB, 90 * KB), (100 * KB, 500 * KB)] {
            budget(total, one).share(None).grow(one).unwrap();
        }
    }
}
