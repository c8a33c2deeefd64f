//! Questions about models.
pub mod certificate;
pub mod paths;
pub mod prove;
