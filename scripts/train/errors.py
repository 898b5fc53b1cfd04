"""The one kind of failure a user causes."""


class InputError(ValueError):
    """Bad input: the text names it, what was expected and what was found. Ends a command with status 2."""
