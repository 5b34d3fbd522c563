"""Fixtures of the tests of semantics."""

import gc

import pytest

import cuprum as cp


@pytest.fixture
def pool():
    """The default pool, without a limit before and after."""
    gc.collect()
    made = cp.get_default_memory_pool()
    made.free_all_blocks()
    yield made
    made.set_limit(size=0)
