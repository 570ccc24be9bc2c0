//! Short rows, such as the distances from a point to some centres: reductions take many of them side by side, because the values of one row
//! don't fill a vector and would be combined one after the other.

/// Rows with fewer values are taken side by side.
pub(crate) const SHORT: usize = 16;

/// The values of `W` rows: the first ones of all rows, then the second ones, and so on.
pub(crate) struct SideBySide<T, const W: usize>([[T; W]; SHORT]);

impl<T: Copy, const W: usize> SideBySide<T, W> {
    /// Room for the values of rows, which holds some value until they are there.
    #[inline(always)]
    pub fn new(any: T) -> SideBySide<T, W> {
        SideBySide([[any; W]; SHORT])
    }

    /// The values of the next `W` rows of `len` values each, fewer than [`SHORT`], which lie one behind the other.
    #[inline(always)]
    pub fn take(&mut self, rows: &[T], len: usize) -> &[[T; W]] {
        for (n, row) in rows.chunks_exact(len).enumerate().take(W) {
            for (column, value) in self.0.iter_mut().zip(row) {
                column[n] = *value;
            }
        }
        &self.0[..len]
    }
}
