"""Every published number names a commit of the history that has the script which made it, and no other sources."""

import pytest
from experiments.provenance import COPIED, ROOT, faults, origins, published, shallow

from dfst.shipped import certified_tasks, shipped_models
from dfst.teachers.find import gallery

FILES = {path.relative_to(ROOT).as_posix(): path for path in published()}


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_where_its_numbers_come_from(name):
    assert bool(origins(FILES[name])) != (name in COPIED)


@pytest.mark.parametrize("name", FILES)
def test_nothing_was_measured_on_sources_that_were_not_committed(name):
    assert [origin.command for origin in origins(FILES[name]) if origin.marked] == []


@pytest.mark.parametrize("name", FILES)
def test_every_commit_is_in_the_history_and_has_what_was_run(name):
    if shallow():
        pytest.skip("without the full history nothing can be said about commits: git fetch --unshallow")
    assert [fault for origin in dict.fromkeys(origins(FILES[name])) for fault in faults(origin)] == []


def test_every_model_and_every_task_of_the_gallery_is_among_them():
    files = ("README.md", "manifest.json")
    models = {f"src/dfst/models/{model.task}/{name}" for model in shipped_models() for name in files}
    assert models | {"src/dfst/teachers/gallery/results.json"} <= FILES.keys()
    assert certified_tasks() == dict.fromkeys(gallery(), True)


def test_no_folder_of_a_machine_is_named():
    for path in FILES.values():
        assert [origin.command for origin in origins(path) if " /" in origin.command] == []
