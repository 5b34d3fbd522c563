"""Functions that ask `_stored` hand over all the arguments that they were called with, as they were given."""

import ast
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "cuprum"
HANDLERS = {"of_stored", "_equal_if_stored"}


def calls():
    """Each function that asks `_stored` in a handler, with the call by which it does so."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef) or function.name in HANDLERS | {
                "names_itself",
                "named",
            }:
                continue
            for node in ast.walk(function):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in HANDLERS
                ):
                    yield f"{path.name}: {function.name}", function, node


def assigned(function):
    """The names that a function binds, but for its parameters."""
    stores = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return {name.id for name in stores if isinstance(name.ctx, ast.Store)}


def test_arguments_are_handed_over_as_they_were_given():
    found = list(calls())
    assert len(found) > 30
    wrong = []
    for where, function, call in found:
        parameters = function.args
        positional = [parameter.arg for parameter in parameters.posonlyargs + parameters.args]
        optional = positional[len(positional) - len(parameters.defaults) :]
        optional += [parameter.arg for parameter in parameters.kwonlyargs]
        rest = [f"*{parameters.vararg.arg}"] if parameters.vararg else []
        wanted = ["error", function.name, *(name for name in positional if name not in optional), *rest]
        wanted += [f"{name}={name}" for name in optional]
        given = [ast.unparse(argument) for argument in call.args]
        given += [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in call.keywords]
        if given != wanted:
            wrong.append(f"{where} hands over {given}, not {wanted}")
        changed = assigned(function) & {*positional, *optional, *(name.removeprefix("*") for name in rest)}
        if changed:
            wrong.append(f"{where} has bound {sorted(changed)} anew")
    assert not wrong, "\n".join(wrong)
