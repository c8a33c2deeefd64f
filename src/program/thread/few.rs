//! A few values in place, more of them elsewhere.
//!
//! Frames are copied at nearly every event. What stands in place is copied as a whole, however much of it is used: that is a handful of instructions,
//! where a copy of so many values as there are is a call.

use std::ops::{Deref, DerefMut};

/// A sequence of values of which `N` have room in place.
#[derive(Clone, Debug)]
pub enum Few<T, const N: usize> {
    /// How many there are, and these with others behind them that say nothing.
    Here(u8, [T; N]),
    /// More than have room.
    Elsewhere(Vec<T>),
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// So many times the default value.
    pub(super) fn of(count: usize) -> Self {
        match u8::try_from(count) {
            Ok(few) if count <= N => Few::Here(few, [T::default(); N]),
            _ => Few::Elsewhere(vec![T::default(); count]),
        }
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Few::Here(count, values) => &values[..usize::from(*count)],
            Few::Elsewhere(values) => values,
        }
    }
}

impl<T, const N: usize> DerefMut for Few<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Few::Here(count, values) => &mut values[..usize::from(*count)],
            Few::Elsewhere(values) => values,
        }
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Few<T, N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values = values.into_iter();
        let mut few = [T::default(); N];
        for count in 0..N {
            match values.next() {
                Some(value) => few[count] = value,
                None => return Few::Here(count as u8, few),
            }
        }
        match values.next() {
            None => Few::Here(N as u8, few),
            Some(next) => Few::Elsewhere(few.into_iter().chain([next]).chain(values).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_were_given_in_place_or_elsewhere() {
        for count in 0..10 {
            let some: Few<u64, 4> = (0..count).collect();
            assert_eq!(some.to_vec(), (0..count).collect::<Vec<_>>());
            assert_eq!(matches!(some, Few::Here(..)), count <= 4);
            let mut zeroes = Few::<u64, 4>::of(count as usize);
            assert_eq!(zeroes[..], vec![0; count as usize]);
            zeroes.iter_mut().for_each(|zero| *zero = 1);
            assert_eq!(zeroes.clone()[..], vec![1; count as usize]);
        }
    }
}
