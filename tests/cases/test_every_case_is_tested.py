"""The list of the cases, kept by hand: each has a test that names it."""

import re
from pathlib import Path

CASES = {
    *("B01", "B02", "B03", "B05", "B06", "B07", "B09", "B10", "B11", "B13", "B14", "B15", "B17", "B18", "B19"),
    *("B21", "B23", "B24", "B26", "B27", "B28", "B30", "B31", "B32", "B34", "B35", "B36", "B38", "B39", "B40"),
    *("B42", "B43", "B45", "B46", "B47", "B48", "B49", "B50", "B51", "B53", "B54", "B55"),
    *("S01", "S02", "S03", "S05", "S06", "S07", "S09", "S10", "S11", "S13", "S14", "S15", "S17", "S18", "S19"),
    *("S21", "S22", "S23"),
}


def test_every_case_has_a_test_of_its_name():
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*_cases.py"))
    named = {found.upper() for found in re.findall(r"(?m)^def test_([bs]\d\d)_", tests)}
    assert named == CASES
