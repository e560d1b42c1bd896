//! Concurrent requests per host: a slow host must not delay messages to other hosts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use reqwest::Url;

/// The maximum number of concurrent requests to one host. Further messages wait in the store.
const TO_ONE_HOST: usize = 8;

/// The hosts with open requests.
#[derive(Default)]
pub(super) struct TargetHosts(Mutex<HashMap<String, usize>>);

/// An open request to a host, until dropped.
pub(super) struct HostVisit<'h> {
    hosts: &'h TargetHosts,
    host: String,
}

impl TargetHosts {
    /// Begins a request to a URL's host; `None` if the limit is reached.
    pub(super) fn visit(&self, target: &str) -> Option<HostVisit<'_>> {
        // The URL is checked before it is used.
        let host =
            Url::parse(target).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let visits = hosts.entry(host.clone()).or_default();
        if *visits >= TO_ONE_HOST {
            return None;
        }
        *visits += 1;
        Some(HostVisit { hosts: self, host })
    }
}

impl Drop for HostVisit<'_> {
    fn drop(&mut self) {
        let mut hosts = self.hosts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(visits) = hosts.get_mut(&self.host) {
            *visits -= 1;
            if *visits == 0 {
                hosts.remove(&self.host);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_takes_a_number_of_requests_and_leaves_the_others_alone() {
        let hosts = TargetHosts::default();
        let visit = |path: usize| hosts.visit(&format!("https://slow.example/{path}"));
        let mut visits: Vec<_> = (0..TO_ONE_HOST).map(|path| visit(path).unwrap()).collect();
        assert!(visit(99).is_none());
        assert!(hosts.visit("https://other.example/").is_some());
        visits.pop();
        assert!(visit(99).is_some(), "one has ended");
        drop(visits);
        assert!(hosts.0.lock().unwrap().is_empty(), "hosts without requests take no memory");
    }
}
