"""The twin runner itself: what it lets pass, and what it does not."""

import pytest
from case_texts import check_all, expectation
from twin import check, raising, twin


def typo(xp):
    return xp.no_such_function(3)


def out_of_bounds(xp):
    return xp.take(xp.arange(3), 7)


def test_an_error_that_nobody_expects_fails_even_on_both_sides():
    with pytest.raises(AssertionError, match="both raised AttributeError.*expects no error"):
        check(typo)
    with pytest.raises(AssertionError, match="both raised AttributeError.*expects IndexError"):
        check(typo, raises=IndexError)
    with pytest.raises(AssertionError, match="expects TypeError or ValueError"):
        check(typo, may_raise=(TypeError, ValueError))


def test_an_error_that_is_expected_passes_and_has_to_come():
    check(out_of_bounds, raises=IndexError)
    check(out_of_bounds, may_raise=(IndexError, TypeError))
    check(raising(IndexError, lambda xp: out_of_bounds(xp)))
    with pytest.raises(AssertionError, match="nothing was raised.*IndexError"):
        check(lambda xp: xp.arange(3), raises=IndexError)
    check(lambda xp: xp.arange(3), may_raise=IndexError)


@twin(raises=IndexError)
def test_a_whole_test_that_raises(xp):
    return out_of_bounds(xp)


def test_texts_name_the_class_in_a_comment():
    assert expectation("v[7]  # IndexError") == ("v[7]", IndexError)
    assert expectation("v['# x']") == ("v['# x']", None)
    check_all("v[7]  # IndexError")
    with pytest.raises(AssertionError, match="1 of 1 checks failed"):
        check_all("v[7]")
    with pytest.raises(AssertionError, match="1 of 1 checks failed"):
        check_all("v[1]  # IndexError")
