"""Numerals longer than Python converts at once."""

import pytest

from dfst.teachers.numerals import to_digits, to_int


@pytest.mark.parametrize(
    ("digits", "radix"), [(2000, 10), (2001, 10), (4301, 10), (50_000, 10), (9000, 7), (10_000, 2)]
)
def test_longer_than_python_converts_at_once(digits, radix):
    number = radix ** (digits - 1) + 12345
    text = to_digits(number, radix)
    assert len(text) == digits
    assert to_int(text, radix) == number
    assert to_int("0" * 3000 + text, radix) == number
