"""`python -m treering` is the command line."""

from treering.interfaces.cli import main

if __name__ == "__main__":
    main()
