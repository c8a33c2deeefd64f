"""`python -m hmc`: the command line."""

import os
import sys

from hmc import _native

if __name__ == "__main__":
    # Ctrl-C is for the command, which has its own way of ending.
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = ["hmc", *sys.argv[1:]]
    if arguments[1:2] == ["cluster"]:
        sys.exit("hmc: `cluster` starts workers, which need the program `hmc`: it is not in the wheel")
    sys.stdout.flush()
    os._exit(_native.main(arguments))
