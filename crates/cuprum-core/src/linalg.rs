//! Decisions of linear algebra that every device takes alike.

/// Whether an `m` by `n` matrix, `m >= n`, is so much taller than wide that its singular value decomposition begins with a QR
/// decomposition: the triangular factor is decomposed instead.
///
/// ```
/// use cuprum_core::svd_starts_with_qr;
/// assert!(svd_starts_with_qr(500, 300) && !svd_starts_with_qr(499, 300));
/// ```
pub fn svd_starts_with_qr(m: usize, n: usize) -> bool {
    3 * m >= 5 * n
}
