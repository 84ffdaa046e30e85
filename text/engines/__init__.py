"""Programs of others as policies: `engine:COMMAND`, over their standard input and output, in GTP or our own lines."""

from .policy import EnginePolicy as EnginePolicy
from .policy import make_engine as make_engine
from .program import EngineProgram as EngineProgram
