"""`python -m ludus.cli`."""

import sys

from ludus.cli import main

sys.exit(main())
