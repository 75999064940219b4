"""Compares the SHA-256 literals of Theorems.v with the files: python -I literals.py [--print] NAME...

It shares no code with the exporter (src/dfst/prove/rocq_file.py). A machine is hashed as dfst hashes it: JSON with
sorted keys and no spaces, in ASCII; weights are hashed as they are on the disk.
"""

import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src" / "dfst"


def machine(given, what):
    """The hash of the machine ``what`` in a certificate."""
    world = {key: given[key] for key in ("blank", "classes", "layout", "symbols")}
    canonical = json.dumps({**world, **{key: given[what][key] for key in ("start", "table")}},
                           sort_keys=True, separators=(",", ":"))  # fmt: skip
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def hashes(name):
    """{what: hash} for the model, the task or, with _trained behind that, the trained network ``name``."""
    trained = name.endswith("_trained")
    name = name.removesuffix("_trained")
    folder = SOURCE / "models" / name
    if folder.is_dir():
        given = json.loads((folder / "certificate.json").read_bytes())
        weights = [folder / ("rounded.safetensors" if trained else "one_hot.safetensors")]
    else:
        task = SOURCE / "teachers" / "gallery" / name.replace("_", "-")
        given = json.loads(gzip.decompress(Path(f"{task}.certificate.json.gz").read_bytes()))
        weights = [Path(f"{task}.rounded.safetensors")] * trained
    machines = {what: machine(given, what) for what in ("teacher", "learner")[: 1 if trained else 2]}
    return machines | {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in weights}


def main(*names, show=False):
    """Print the hashes of these models and tasks, or compare them; returns how many are not those of Theorems.v."""
    text = (HERE / "Theorems.v").read_text(encoding="utf-8")
    claimed = re.findall(r"^Definition (\w+) : Prop := .*((?:\n  0x[0-9a-f]{64})+)\.$", text, re.M)
    literals = {name: re.findall(r"[0-9a-f]{64}", digits) for name, digits in claimed}
    if len(literals) < len(claimed):
        sys.exit("Theorems.v defines a name twice.")
    wrong = 0
    for name in (name.replace("-", "_") for name in names):
        files = hashes(name)
        if show:
            print(f"{name}:", *(f"  0x{digest}  {what}" for what, digest in files.items()), sep="\n")
        elif literals.get(name) != list(files.values()):
            wrong += 1
            other = [what for what, digest in files.items() if digest not in literals.get(name, [])] or files
            print(f"Theorems.v does not name the SHA-256 of {name}'s {' and '.join(other)}. The hashes of {name} are")
            print(*(f"  0x{digest}" for digest in files.values()), sep="\n")
    if wrong:
        print(
            "If you meant to change these files, put these hashes into Theorems.v (make -C proofs literals prints all)."
        )
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(*(word for word in sys.argv[1:] if word != "--print"), show="--print" in sys.argv)))
