"""Reads {name: Python source} as JSON and prints {name: modules, programs and system files that it uses} as JSON.

A source that does not parse, or that only imports, is ignored: it may be an English sentence.
"""

from __future__ import annotations

import ast
import json
import re
import sys

STARTERS = {"run", "Popen", "call", "check_call", "check_output"}


def imported_modules(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module)
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)


def started_programs(tree: ast.Module) -> set[str]:
    """Finds the literal first element of each list of arguments that `subprocess` gets."""
    programs = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="subprocess"), attr=starter),
                args=[ast.List(elts=[ast.Constant(value=str(program)), *_]), *_],
            ) if starter in STARTERS:
                programs.add(program)
    return programs


def system_paths(tree: ast.Module) -> set[str]:
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and re.fullmatch(r"/usr(/[^\s/]+){2,}", value)}


def uses(source: str) -> list[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    if all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body):
        return []
    return sorted(imported_modules(tree) | started_programs(tree) | system_paths(tree))


json.dump({name: uses(source) for name, source in json.load(sys.stdin).items()}, sys.stdout)
