"""The arrays that texts about indexing speak of, and how tables of such texts are read and checked."""

import functools

import case_texts


def names(xp):
    """The arrays, built anew for every case."""
    return {
        "s": xp.array(7),
        "v": xp.arange(5) * 10,
        "m": xp.arange(12.0).reshape(3, 4),
        "a": xp.arange(60).reshape(3, 4, 5),
        "z": xp.zeros((0, 4)),
        "i": xp.array([2, 0, 1]),
        "j": xp.array([[0], [2]]),
        "k": xp.array([1, 1, 3, 0]),
        "e": xp.array([], dtype=xp.int64),
        "t": xp.array([True, False, True]),
        "tt": xp.arange(12).reshape(3, 4) % 3 == 0,
    }


def words(table):
    """The expressions of a table that are parted by white space."""
    return table.split()


def statements(table):
    """The statements of a table that are parted by semicolons and line ends."""
    return [text.strip() for text in table.replace("\n", ";").split(";") if text.strip()]


def check_values(cases, **options):
    case_texts.check_all(cases, functools.partial(case_texts.value_of, named=names), **options)


def check_writes(cases, **options):
    case_texts.check_all(cases, functools.partial(case_texts.state_after, named=names), **options)
