//! The start-up check: can this machine run the instructions that the build uses?
//!
//! A build in the checkout is made for the machine it is built on. Elsewhere it must say what is
//! missing instead of dying of an illegal instruction. Standard feature detection is of no use
//! here, since the compiler replaces it by `true` for every feature of the build; so this asks
//! the CPU itself.
//!
//! The code that runs before the verdict must not need the features in question. It tests bits
//! against constants and prints constant text through the C library. Even the start-up code of
//! the standard library is compiled for the build's machine once link-time optimisation has
//! inlined it, so on Linux the check runs before that, as a constructor.

/// Ends the process with status 1 and one line on stderr if the CPU lacks an instruction set
/// that this build uses. `main` calls it first.
#[inline(never)]
pub fn require_features() {
    #[cfg(target_arch = "x86_64")]
    if let Some(message) = x86_64::missing() {
        refuse(message);
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod constructor {
    extern "C" fn check() {
        super::require_features();
    }

    // SAFETY: the section holds pointers to functions that the C library calls before `main`,
    // and this is one. The function uses nothing that `main` would have to set up.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static CHECK: extern "C" fn() = check;
}

#[cfg(all(target_arch = "x86_64", unix))]
#[cold]
#[inline(never)]
fn refuse(message: &'static str) -> ! {
    unsafe extern "C" {
        fn write(file: i32, text: *const u8, length: usize) -> isize;
        fn _exit(status: i32) -> !;
    }
    // SAFETY: the two functions of POSIX, with the address and length of a live string.
    unsafe {
        write(2, message.as_ptr(), message.len());
        _exit(1)
    }
}

#[cfg(all(target_arch = "x86_64", not(unix)))]
#[cold]
#[inline(never)]
fn refuse(message: &'static str) -> ! {
    use std::io::Write;
    // There is nowhere to report a failure to report.
    let _ = std::io::stderr().write_all(message.as_bytes());
    std::process::exit(1)
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::{__cpuid_count, CpuidResult};

    /// What the CPU and the operating system say they support, a register each.
    #[derive(Default)]
    struct Registers {
        /// Leaf 1, ECX.
        basic: u32,
        /// Leaf 7, EBX, ECX and EDX.
        extended: [u32; 3],
        /// Leaf 7, sub-leaf 1, EAX.
        newer: u32,
        /// Leaf 0x8000_0001, ECX.
        amd: u32,
        /// Register states that the operating system keeps (XCR0).
        kept: u32,
    }

    /// Bits of XCR0 for the registers of AVX and of AVX-512.
    const AVX_STATE: u32 = 0x06;
    const AVX512_STATE: u32 = 0xe6;
    const OSXSAVE: u32 = 1 << 27;

    impl Registers {
        fn read() -> Registers {
            let mut registers = Registers::default();
            let last = cpuid(0, 0).eax;
            let basic = cpuid(1, 0).ecx;
            registers.basic = basic;
            if basic & OSXSAVE != 0 {
                registers.kept = kept_states();
            }
            if last >= 7 {
                let leaf = cpuid(7, 0);
                registers.extended = [leaf.ebx, leaf.ecx, leaf.edx];
                if leaf.eax >= 1 {
                    registers.newer = cpuid(7, 1).eax;
                }
            }
            if cpuid(0x8000_0000, 0).eax >= 0x8000_0001 {
                registers.amd = cpuid(0x8000_0001, 0).ecx;
            }
            registers
        }
    }

    #[allow(unused_unsafe, reason = "newer compilers know that the instruction is safe")]
    fn cpuid(leaf: u32, sub_leaf: u32) -> CpuidResult {
        // SAFETY: every x86-64 CPU has the instruction.
        unsafe { __cpuid_count(leaf, sub_leaf) }
    }

    fn kept_states() -> u32 {
        let (low, _high): (u32, u32);
        // SAFETY: xgetbv with ECX = 0 exists wherever CPUID reports OSXSAVE, which the caller has
        // checked. It reads one register and touches no memory.
        unsafe {
            std::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _high,
                options(nomem, nostack, preserves_flags));
        }
        low
    }

    /// `check!(feature, register, bit)`: the message about a feature that the build uses and the
    /// register lacks. An optional last argument names the states that must be kept as well.
    macro_rules! check {
        ($feature:tt, $register:expr, $bit:expr) => {
            if cfg!(target_feature = $feature) && $register & (1 << $bit) == 0 {
                return Some(concat!(
                    "outflank: this build needs the CPU feature ",
                    $feature,
                    ", which this machine lacks; build outflank on this machine\n"
                ));
            }
        };
        ($feature:tt, $register:expr, $bit:expr, $state:expr) => {
            check!($feature, $register, $bit);
            if cfg!(target_feature = $feature) && $state.0 & $state.1 != $state.1 {
                return Some(concat!(
                    "outflank: this build needs the CPU feature ",
                    $feature,
                    ", which the operating system of this machine has not enabled\n"
                ));
            }
        };
    }

    /// The first missing feature as a line of text. The features are those that compilers and
    /// libraries use unasked, roughly in the order in which processors gained them.
    #[inline(never)]
    pub fn missing() -> Option<&'static str> {
        let Registers { basic, extended: [ebx, ecx, edx], newer, amd, kept } = Registers::read();
        let avx = (kept, AVX_STATE);
        let avx512 = (kept, AVX512_STATE);
        check!("sse3", basic, 0);
        check!("ssse3", basic, 9);
        check!("sse4.1", basic, 19);
        check!("sse4.2", basic, 20);
        check!("popcnt", basic, 23);
        check!("cmpxchg16b", basic, 13);
        check!("aes", basic, 25);
        check!("pclmulqdq", basic, 1);
        check!("avx", basic, 28, avx);
        check!("f16c", basic, 29, avx);
        check!("fma", basic, 12, avx);
        check!("movbe", basic, 22);
        check!("lzcnt", amd, 5);
        check!("bmi1", ebx, 3);
        check!("bmi2", ebx, 8);
        check!("avx2", ebx, 5, avx);
        check!("sse4a", amd, 6);
        check!("adx", ebx, 19);
        check!("sha", ebx, 29);
        check!("avx512f", ebx, 16, avx512);
        check!("avx512cd", ebx, 28, avx512);
        check!("avx512bw", ebx, 30, avx512);
        check!("avx512dq", ebx, 17, avx512);
        check!("avx512vl", ebx, 31, avx512);
        check!("avx512ifma", ebx, 21, avx512);
        check!("avx512vbmi", ecx, 1, avx512);
        check!("avx512vbmi2", ecx, 6, avx512);
        check!("gfni", ecx, 8);
        check!("vaes", ecx, 9, avx);
        check!("vpclmulqdq", ecx, 10, avx);
        check!("avx512vnni", ecx, 11, avx512);
        check!("avx512bitalg", ecx, 12, avx512);
        check!("avx512vpopcntdq", ecx, 14, avx512);
        check!("avx512vp2intersect", edx, 8, avx512);
        check!("avx512fp16", edx, 23, avx512);
        check!("avx512bf16", newer, 5, avx512);
        check!("avxvnni", newer, 4, avx);
        check!("avxifma", newer, 23, avx);
        None
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_machine_that_runs_the_tests_has_what_the_build_needs() {
            assert_eq!(missing(), None);
        }

        #[test]
        fn the_registers_agree_with_the_standard_detection() {
            let Registers { basic, extended: [ebx, ..], amd, kept, .. } = Registers::read();
            let avx = kept & AVX_STATE == AVX_STATE;
            for (name, found, expected) in [
                ("ssse3", basic & 1 << 9 != 0, std::is_x86_feature_detected!("ssse3")),
                ("popcnt", basic & 1 << 23 != 0, std::is_x86_feature_detected!("popcnt")),
                ("avx2", ebx & 1 << 5 != 0 && avx, std::is_x86_feature_detected!("avx2")),
                ("bmi2", ebx & 1 << 8 != 0, std::is_x86_feature_detected!("bmi2")),
                ("lzcnt", amd & 1 << 5 != 0, std::is_x86_feature_detected!("lzcnt")),
            ] {
                assert_eq!(found, expected, "{name}");
            }
        }
    }
}
