//! What single steps cost, one benchmark a file in `benches/`. They stand in a package of their own
//! because criterion is built with 40 others, which the tests of no crate need.
