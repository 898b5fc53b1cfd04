/** The Python with the modules that `scripts/packages.txt` lists: Debian's, unless $PYTHON names another. */
export const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';
