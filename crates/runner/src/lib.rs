//! (opened next)
