"""The stand-in for the CUDA driver and NVRTC, built once and loaded into the tests' own process."""

import driver_api
import pytest


@pytest.fixture(scope="session")
def machine():
    return driver_api.Machine(driver_api.standin())
