//! The compatibility boundary: shapes of older versions become those of 1.0 (AG-UI 1.0, section "Retired shapes").
