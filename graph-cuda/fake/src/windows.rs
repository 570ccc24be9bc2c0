//! Where the parts of memory lie in the generic address space.
//!
//! Each allocation has a range of its own, far from the others, and its number is used again only after a long time. So an address that
//! leaves an allocation, or that is used after the allocation was freed, is never one of another allocation. No program on the host can
//! read such an address by mistake: they are beyond those that processes have.

/// The bits of an address within an allocation.
pub(crate) const RANGE_BITS: u32 = 36;
/// The number of the first range: lower addresses belong to the host.
pub(crate) const FIRST_RANGE: u64 = 1 << (47 - RANGE_BITS);
/// Where an allocation begins in its range. The driver promises this alignment and no more.
pub(crate) const BASE: u64 = 256;
/// Where shared memory begins.
pub(crate) const SHARED: u64 = 1 << 61;
/// Where a thread's local memory begins.
pub(crate) const LOCAL: u64 = 1 << 62;
/// The size of the windows of shared and local memory.
pub(crate) const WINDOW: u64 = 1 << 32;
