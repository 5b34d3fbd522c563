"""`python -m cuprum` is the command `cuprum`."""

import sys

from cuprum.cli import main

sys.exit(main())
