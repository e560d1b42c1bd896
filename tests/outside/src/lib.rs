//! Tests with programs of others: official clients, compilers and validators in Node and Python, a browser.
