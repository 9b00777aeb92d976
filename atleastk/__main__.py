"""``python -m atleastk`` is the command ``atleastk``."""

import sys

from atleastk.cli import main

sys.exit(main())
