"""Importing this makes the current device's context the thread's: `device` and `context` are those."""

from __future__ import annotations

import atexit

from . import driver

driver.init()
device = driver.Device(0)
context = device.make_context()
atexit.register(context.detach)
