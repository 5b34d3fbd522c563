//! Linear algebra: one matrix or a stack of them.

use super::Slot;

/// Factorisations and what is computed by them. The last one or two axes of a slot are the matrix or vector, those
/// before are the stack, the same in every slot of a call (broadcast already). Elements are float32, float64,
/// complex64 or complex128; real parts (singular values, logarithms, eigenvalues of Hermitian matrices) are of
/// the real dtype of the same precision. What has no answer is `Error::Linalg`, found at the call.
#[derive(Debug)]
pub enum LinalgCall<'a> {
    /// `P A = L U` with partial pivoting by rows, the pivot being the first of largest `|re| + |im|`. A zero pivot is
    /// no error.
    Lu {
        /// Of shape (m, n).
        a: &'a Slot,
        /// U on and above the diagonal, L without its ones below: (m, n).
        lu: &'a Slot,
        /// Row `i` was exchanged with row `pivots[i]`, in that order: (min(m, n),), int32.
        pivots: &'a Slot,
    },
    /// Solves with the factors of `Lu`.
    LuSolve {
        /// Of shape (n, n).
        lu: &'a Slot,
        /// Of shape (n,), int32.
        pivots: &'a Slot,
        /// The right-hand sides: (n, k).
        b: &'a Slot,
        /// The solutions: (n, k).
        x: &'a Slot,
        /// With the transpose of the matrix.
        transposed: bool,
        /// With its conjugate.
        conjugated: bool,
    },
    /// `A x = b` for any square A; an error where a pivot is zero.
    Solve {
        /// Of shape (n, n).
        a: &'a Slot,
        /// Of shape (n, k).
        b: &'a Slot,
        /// Of shape (n, k).
        x: &'a Slot,
    },
    /// `A x = b` for the triangle of A; the rest of A is not read. A zero on the diagonal is an error.
    SolveTriangular {
        /// Of shape (n, n).
        a: &'a Slot,
        /// Of shape (n, k).
        b: &'a Slot,
        /// Of shape (n, k).
        x: &'a Slot,
        /// The lower triangle, else the upper one.
        lower: bool,
        /// The diagonal is taken as ones.
        unit: bool,
        /// With the transpose of the triangle.
        transposed: bool,
        /// With its conjugate.
        conjugated: bool,
    },
    /// The inverse; an error where a pivot is zero.
    Inverse {
        /// Of shape (n, n).
        a: &'a Slot,
        /// Of shape (n, n).
        out: &'a Slot,
    },
    /// The determinant.
    Determinant {
        /// Of shape (n, n).
        a: &'a Slot,
        /// A number.
        out: &'a Slot,
    },
    /// The determinant's sign (a number of size one, or zero) and the logarithm of its size.
    LogDeterminant {
        /// Of shape (n, n).
        a: &'a Slot,
        /// A number.
        sign: &'a Slot,
        /// A real number.
        log: &'a Slot,
    },
    /// `A = L L^H`, or `A = U^H U`; only that triangle of A is read. An error where A is not positive definite.
    Cholesky {
        /// Of shape (n, n).
        a: &'a Slot,
        /// The factor, zero outside of its triangle: (n, n).
        out: &'a Slot,
        /// U, else L.
        upper: bool,
    },
    /// `A = Q R` by Householder reflections with LAPACK's signs.
    Qr {
        /// Of shape (m, n).
        a: &'a Slot,
        /// What is wanted.
        result: QrResult<'a>,
    },
    /// `A = U diag(s) V^H`, s falling. An error where A is not finite.
    Svd {
        /// Of shape (m, n).
        a: &'a Slot,
        /// Of shape (min(m, n),), real.
        s: &'a Slot,
        /// U and `V^H`: square, or (m, min(m, n)) and (min(m, n), n).
        vectors: Option<(&'a Slot, &'a Slot)>,
    },
    /// `A = V diag(w) V^H` for the Hermitian matrix that one triangle of A tells, w rising. An error where that
    /// triangle is not finite.
    Eigh {
        /// Of shape (n, n).
        a: &'a Slot,
        /// Reads the upper triangle, else the lower one.
        upper: bool,
        /// Of shape (n,), real.
        values: &'a Slot,
        /// V: (n, n).
        vectors: Option<&'a Slot>,
    },
    /// `A V = V diag(w)`, columns of V of length one. An error where A is not finite.
    Eig {
        /// Of shape (n, n).
        a: &'a Slot,
        /// Of shape (n,), complex.
        values: &'a Slot,
        /// V: (n, n), complex.
        vectors: Option<&'a Slot>,
    },
}

/// What a QR factorisation of an (m, n) matrix gives.
#[derive(Debug)]
pub enum QrResult<'a> {
    /// R alone: (min(m, n), n).
    R(&'a Slot),
    /// Q of shape (m, k) and R of shape (k, n), k being m or min(m, n).
    QAndR(&'a Slot, &'a Slot),
    /// R with the reflections' vectors below it, as LAPACK packs them: (m, n); and their factors: (min(m, n),).
    Packed(&'a Slot, &'a Slot),
}

impl LinalgCall<'_> {
    pub(super) fn slots(&self) -> Vec<&Slot> {
        match self {
            LinalgCall::Lu { a, lu, pivots } => vec![a, lu, pivots],
            LinalgCall::LuSolve { lu, pivots, b, x, .. } => vec![lu, pivots, b, x],
            LinalgCall::Solve { a, b, x } | LinalgCall::SolveTriangular { a, b, x, .. } => vec![a, b, x],
            LinalgCall::Inverse { a, out }
            | LinalgCall::Determinant { a, out }
            | LinalgCall::Cholesky { a, out, .. } => vec![a, out],
            LinalgCall::LogDeterminant { a, sign, log } => vec![a, sign, log],
            LinalgCall::Qr { a, result } => match result {
                QrResult::R(r) => vec![a, r],
                QrResult::QAndR(q, r) | QrResult::Packed(q, r) => vec![a, q, r],
            },
            LinalgCall::Svd { a, s, vectors } => match vectors {
                Some((u, v)) => vec![a, s, u, v],
                None => vec![a, s],
            },
            LinalgCall::Eigh { a, values, vectors, .. } | LinalgCall::Eig { a, values, vectors } => {
                [*a, *values].into_iter().chain(*vectors).collect()
            }
        }
    }

    /// The name that errors and logs use.
    pub fn name(&self) -> &'static str {
        match self {
            LinalgCall::Lu { .. } => "lu",
            LinalgCall::LuSolve { .. } => "lu_solve",
            LinalgCall::Solve { .. } => "solve",
            LinalgCall::SolveTriangular { .. } => "solve_triangular",
            LinalgCall::Inverse { .. } => "inv",
            LinalgCall::Determinant { .. } => "det",
            LinalgCall::LogDeterminant { .. } => "slogdet",
            LinalgCall::Cholesky { .. } => "cholesky",
            LinalgCall::Qr { .. } => "qr",
            LinalgCall::Svd { .. } => "svd",
            LinalgCall::Eigh { .. } => "eigh",
            LinalgCall::Eig { .. } => "eig",
        }
    }
}
