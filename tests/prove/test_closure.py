import pytest

from tests.prove.scripts import output


@pytest.mark.slow
def test_every_concrete_configuration_is_covered():
    assert output("covering", 200, 3)["configurations"] > 2000


@pytest.mark.slow
def test_machines_with_one_entry_off():
    counts = output("soundness", 60, 1)
    assert counts["refuted"] > 40
    assert not any("undecided" in outcome for outcome in counts)
