#!/usr/bin/env bash
# Three certificates in under fifteen minutes on two cores: add2, add10 and mult2, from teacher to proof.
# Usage: experiments/reproduce_quick.sh [FOLDER]   (run folders go there; finished runs are kept, unfinished resumed)
set -euo pipefail
mkdir -p "${1:-reproduced}" && cd "${1:-reproduced}"
SECONDS=0
for task in add2 add10 mult2; do
    run=runs/$task-fast-s42
    [ -f "$run/model.safetensors" ] || dfst train "$task" --resume
    dfst certify "$run" --raw-to 20
    dfst check "$run/certificate.json" --teacher "$task" --weights "$run/one_hot.safetensors" --machine "$run/machine.dfst"
done
echo "three certificates after $SECONDS s"
