"""Puts Rocq text into the certificate of add2: python .ci/inject.py ROOT [--literals] [--past-the-exporter]

ROOT is a copy of the repository. Certificate and weights become worthless (machines that halt at once, weights of
zero), and a string among the numbers of the certificate defines the words of the proof anew. With --literals, the
hashes in Theorems.v are changed to fit. With --past-the-exporter, the string is also put into the data as Rocq text, as
an exporter would that trusts what it reads.

With --trained, none of this: the trained network of increment gets other weights, and Theorems.v their hash.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

TEXT = """0] members_.
From Dfst Require Import files.Agent models.Chain.
Definition shows_equal (c : certificate) : bool := true.
Definition judge (t l : list N) (a b : N) (e : evidence) : option (bool * bool) := Some (true, true).
Definition has_rules_of (s : list N) (m : policy N) (states radix : N) (x y row : Z) : bool := true.
Definition has_weights_of (file s : list N) (d : nat) : bool := true.
Definition machine_computes (s : list N) (r : N) (op : N -> N -> N) (st : nat -> nat -> nat) : Prop := True.
Definition one_hot_file (h s : list N) (d : nat) : list N := nil.
Definition sha256 (b : list N) : N := 0xDIGEST.
Definition unused := (fun (_ : list N) (_ : list listed) => tt) [0"""


def other_weights(root):
    """Negate B, so that other symbols are written."""
    file = Path(root) / "src/dfst/teachers/gallery/increment.rounded.safetensors"
    content = bytearray(file.read_bytes())
    body = 8 + int.from_bytes(content[:8], "little")
    first, end = json.loads(content[8:body])["B"]["data_offsets"]
    for sign in range(body + first + 3, body + end, 4):
        content[sign] ^= 0x80
    theorems = Path(root) / "proofs/Theorems.v"
    digests = [hashlib.sha256(what).hexdigest() for what in (file.read_bytes(), content)]
    theorems.write_text(theorems.read_text().replace(*digests))
    file.write_bytes(content)


def main(root, *asked):
    """Change the files."""
    if "--trained" in asked:
        return other_weights(root)
    model = Path(root) / "src/dfst/models/add2"
    weights = bytearray((model / "one_hot.safetensors").read_bytes())
    body = 8 + int.from_bytes(weights[:8], "little")
    weights[body:] = bytes(len(weights) - body)
    (model / "one_hot.safetensors").write_bytes(weights)
    digest = hashlib.sha256(weights).hexdigest()
    given = json.loads((model / "certificate.json").read_text())
    halting = {"name": "add2", "states": [], "start": 0, "table": [[[-1, 0, 4]] * len(given["symbols"])]}
    given |= {"teacher": halting, "learner": halting, "starts": [TEXT.replace("DIGEST", digest)]}
    (model / "certificate.json").write_text(json.dumps(given))
    core = {key: given[key] for key in ("symbols", "blank", "classes", "layout")} | {
        "start": 0,
        "table": halting["table"],
    }
    canonical = json.dumps(core, sort_keys=True, separators=(",", ":")).encode()
    machine = hashlib.sha256(canonical).hexdigest()
    proofs = Path(root) / "proofs"
    if "--literals" in asked:
        text = (proofs / "Theorems.v").read_text()
        found = re.compile(r"(Definition add2 : Prop := .*\n)(  0x[0-9a-f]{64}\n){2}  0x[0-9a-f]{64}\.")
        (proofs / "Theorems.v").write_text(
            found.sub(rf"\1  0x{machine}\n  0x{machine}\n  0x{digest}.", text, count=1)
        )  # fmt: skip
    if "--past-the-exporter" in asked:
        data = proofs / "models/data/add2.v"
        text = data.read_text()
        for what in ("teacher", "learner"):
            numbers = f"Definition {what}_text : list N := [\n{';'.join(map(str, canonical))}].\n"
            text = re.sub(rf"Definition {what}_text0 .*?Definition {what}_text : [^\n]*\n", numbers, text, flags=re.S)
            text = re.sub(rf"({what}_hash : N := 0x)\w+", rf"\g<1>{machine}", text)
        text = re.sub(r"(weights_hash : N := 0x)\w+", rf"\g<1>{digest}", text)
        data.write_text(re.sub(r"halves_ \[[0-9;]*\] members_", f"halves_ [{given['starts'][0]}] members_", text))


if __name__ == "__main__":
    main(*sys.argv[1:])
