"""`python -m zerosum`."""

from zerosum.cli.main import main

main()
