"""``python -m dfst``: the command line, where the command dfst is not on the path."""

from dfst.cli import main

if __name__ == "__main__":
    main()
