"""Modules that CuPy's programs ask before they use a library of NVIDIA's, and settings of transforms."""

import importlib

import pytest

import cuprum as cp

AVAILABLE = {
    "cub": True,
    "thrust": True,
    "curand": False,
    "cublas": True,
    "cusolver": False,
    "cusparse": False,
    "cutensor": False,
}


@pytest.mark.parametrize("name", AVAILABLE)
def test_libraries_answer(name):
    module = importlib.import_module(f"cuprum.cuda.{name}")
    assert module is getattr(cp.cuda, name)
    assert module.available is AVAILABLE[name]
    with pytest.raises(AttributeError, match="use "):
        module.nothing  # noqa: B018 - looking for it raises


def test_settings_of_transforms():
    config = cp.fft.config
    assert config.use_multi_gpus is False and config.devices is None
    config.use_multi_gpus = False
    with pytest.raises(RuntimeError, match="one GPU"):
        config.use_multi_gpus = True
    with pytest.warns(DeprecationWarning, match="enable_nd_planning"):
        config.enable_nd_planning = False
    with pytest.warns(DeprecationWarning, match="enable_nd_planning"):
        assert config.enable_nd_planning is False
    with pytest.warns(DeprecationWarning, match="enable_nd_planning"):
        config.enable_nd_planning = True
    for gpus, error in ((1, ValueError), ([0], ValueError), ("0", ValueError), (2, RuntimeError)):
        with pytest.raises(error, match="set_cufft_gpus"):
            config.set_cufft_gpus(gpus)
    assert config.get_current_callback_manager() is None
