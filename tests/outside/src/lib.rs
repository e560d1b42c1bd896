//! Tests with programs of other projects: official clients, compilers and validators in Node and Python, a browser.
