//! What a program that `cargo hmc` checks may say of itself. No program needs it to be checked.
#![no_std]

#[cfg(hmc)]
mod explored {
    unsafe extern "C" {
        pub fn hmc_assume(condition: i32);
        pub fn hmc_choose() -> i32;
    }
}

/// Looks only at executions in which the condition holds. Without hmc, the condition is asserted.
#[inline]
pub fn assume(condition: bool) {
    #[cfg(hmc)]
    // It reads its argument only.
    unsafe {
        explored::hmc_assume(condition.into());
    }
    #[cfg(not(hmc))]
    assert!(condition, "what is assumed does not hold");
}

/// `true` in some executions, and `false` in others. Without hmc, `false`.
#[inline]
pub fn nondet() -> bool {
    #[cfg(hmc)]
    // It takes nothing.
    unsafe {
        explored::hmc_choose() != 0
    }
    #[cfg(not(hmc))]
    false
}
