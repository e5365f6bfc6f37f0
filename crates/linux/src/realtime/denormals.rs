//! [`flush_denormals`]: numbers too small for a float's full precision count as 0.
//!
//! Background: below 1.2e-38 a float keeps fewer and fewer digits ("denormal"), and most
//! processors take some hundred cycles for such a step instead of a few. Filters and
//! reverberation that ring out into silence pass through such numbers, so that silence
//! would be what costs most. Solution: the processor is told, for this thread, to take
//! and to leave them as 0 (x86-64: the bits FTZ and DAZ of MXCSR; 64-bit ARM: FZ of FPCR).
//! Why it works: 1.2e-38 is 758 dB below full scale; nobody hears or records it. Servers
//! such as JACK do the same in the threads they call their clients from.

use std::marker::PhantomData;

/// While this lives, its thread has no denormal numbers; one that it starts inherits that.
#[derive(Debug)]
#[must_use = "dropping it brings denormal numbers back"]
pub struct Flushed {
    before: u64,
    _stays: PhantomData<*const ()>, // with its thread
}

/// Begins to flush, on processors where that is known; elsewhere nothing changes.
///
/// Real-time contract: wait-free, no system call; some nanoseconds.
pub fn flush_denormals() -> Flushed {
    let before = control::read();
    control::write(before | control::FLUSH);
    Flushed { before, _stays: PhantomData }
}

impl Drop for Flushed {
    fn drop(&mut self) {
        control::write(self.before);
    }
}

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// Flush to zero (bit 15), and denormals are zero (bit 6). Intel SDM, 10.2.3.
    pub(super) const FLUSH: u64 = 1 << 15 | 1 << 6;

    pub(super) fn read() -> u64 {
        let mut word = 0_u32;
        // SAFETY: the instruction stores 4 bytes, and there they are.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags));
        }
        word.into()
    }

    pub(super) fn write(word: u64) {
        let word = word as u32;
        // SAFETY: the word was read from there but for two bits that exist on every
        // x86-64 processor, so that nothing reserved is set and rounding and traps stay.
        // The compiler supposes that denormal numbers are kept: what it computes
        // beforehand may differ from what is computed here by less than 1.2e-38, and
        // nothing rests on such a difference.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, readonly)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// Flush to zero (bit 24). Arm Architecture Reference Manual, FPCR.
    pub(super) const FLUSH: u64 = 1 << 24;

    pub(super) fn read() -> u64 {
        let word: u64;
        // SAFETY: programs may read this register; nothing else is touched.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    pub(super) fn write(word: u64) {
        // SAFETY: the word was read from there but for one bit, so that rounding and
        // traps stay; for what the compiler supposes, see x86-64 above.
        unsafe { asm!("msr fpcr, {}", in(reg) word, options(nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub(super) const FLUSH: u64 = 0;

    pub(super) fn read() -> u64 {
        0
    }

    pub(super) fn write(_: u64) {}
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Half of the smallest number of full precision.
    fn half() -> f32 {
        black_box(f32::MIN_POSITIVE) * black_box(0.5)
    }

    #[test]
    fn denormal_numbers_are_0_in_this_thread_as_long_as_it_lasts() {
        assert!(half() > 0.0);
        let flushed = flush_denormals();
        assert_eq!(half().to_bits(), 0);
        let inner = flush_denormals();
        drop(inner);
        assert_eq!(half().to_bits(), 0, "it was so before the inner one");
        drop(flushed);
        assert!(half() > 0.0);
    }

    #[test]
    fn a_filter_that_rings_out_ends_in_silence() {
        let rung = |frames: u32| (0..frames).fold(1.0_f32, |y, _| y * black_box(0.5));
        assert!(rung(140) > 0.0);
        let _flushed = flush_denormals();
        assert!(rung(140) == 0.0);
        assert!((rung(100) - 0.5_f32.powi(100)).abs() == 0.0, "what is heard stays as it is");
    }
}
