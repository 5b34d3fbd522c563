"""PyCUDA's `pycuda.sparse`: products with sparse matrices, and conjugate gradients."""
