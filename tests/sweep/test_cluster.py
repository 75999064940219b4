"""Nothing is lost and nothing is doubled when a node and the driver of a sweep are killed."""

import sys

import pytest

pytest.importorskip("ray")

from experiments.breaking.ray_cluster import ordeal


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_sweep_survives_a_lost_node_and_a_killed_driver(tmp_path):
    counts, output = ordeal(tmp_path, print, seconds=900)
    assert counts["trials"] == counts["rows"] >= 40
    assert (counts["lost"], counts["doubled"], counts["strange"], counts["left_unfinished"]) == (0, 0, 0, 0)
    assert counts["exit_code"] == 0
    assert counts["interrupted"] >= 2
    assert counts["retried"] >= 1
    assert counts["interrupted_with_other_weights"] == 0
    for noise in ("Traceback", "raylet", "WARNING", "logging.cc"):
        assert noise not in output
