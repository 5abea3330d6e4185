//! The two inner loops of every search, legal moves and flips, in the version that this build's
//! CPU runs fastest. Both versions have the same function names; this is the one place that
//! chooses. The portable one is always compiled and is what the tests compare against.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;
pub mod portable;
mod rays;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use avx2::{flips, moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::{flips, moves};

/// Which version this build uses: `avx2` or `portable`.
pub const NAME: &str =
    if cfg!(all(target_arch = "x86_64", target_feature = "avx2")) { "avx2" } else { "portable" };
