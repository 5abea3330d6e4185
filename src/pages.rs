//! Large tables in large pages of memory.
//!
//! A search reads its tables at places that no cache foresees, and in pages of 4 KiB each such
//! read first waits for the translation of its address. Linux gives pages of 2 MiB to those who
//! ask; elsewhere, and where they are refused, the memory is ordinary.

use memmap2::MmapMut;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A type of which bytes that are all zero are a value, and which has nothing to drop.
///
/// # Safety
/// Both must be so, and the alignment be at most that of a page, 4096 bytes.
pub(crate) unsafe trait Zeroed {}

/// One or more values in memory of their own, all zero at first.
pub(crate) struct Pages<T> {
    map: MmapMut,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Zeroed> Pages<T> {
    /// `len` values, at least one.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(len: usize) -> Result<Pages<T>, std::io::Error> {
        let len = len.max(1);
        let bytes =
            len.checked_mul(size_of::<T>().max(1)).ok_or(std::io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages: {error}");
        }
        Ok(Pages { map, len, values: PhantomData })
    }

    /// The first of the values.
    #[inline(always)]
    pub fn first(&self) -> &T {
        // SAFETY: as in `deref`; there is at least one value.
        unsafe { &*self.map.as_ptr().cast() }
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is `len` times the size of a value long, starts at a page, was zero when
        // it was made, and nothing but values of this type has been written to it since.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

impl<T: Zeroed> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow of the map is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.len) }
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pages({} bytes)", self.map.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SAFETY: integers.
    unsafe impl Zeroed for u64 {}

    #[test]
    fn values_are_zero_first_and_then_what_was_written() {
        let mut pages: Pages<u64> = Pages::new(1_000_000).unwrap();
        assert_eq!((pages.len(), *pages.first()), (1_000_000, 0));
        assert!(pages.iter().all(|value| *value == 0));
        for (i, value) in pages.iter_mut().enumerate() {
            *value = i as u64 + 1;
        }
        assert!(pages.iter().enumerate().all(|(i, value)| *value == i as u64 + 1));
    }

    #[test]
    fn there_is_always_one_value() {
        assert_eq!(*Pages::<u64>::new(0).unwrap(), [0]);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Pages::<u64>::new(usize::MAX / 16).is_err());
        assert!(Pages::<u64>::new(usize::MAX).is_err());
    }
}
