//! Enforcement: drop unknown events, strip unknown material, refuse malformed values (AG-UI 1.0, section "Receiving").
