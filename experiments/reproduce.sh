#!/usr/bin/env bash
# Everything behind results/*.json, the README's table and docs/pictures, in this order: about six hours on two cores.
# Usage: experiments/reproduce.sh FOLDER
# Run folders go to FOLDER; whatever is finished there or in results/ is kept, so a stopped reproduction goes on. To
# measure a table anew, remove its file from results/ first.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
runs=$(cd "$1" && pwd)/runs
say() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
train() { [ -f "$runs/$1/model.safetensors" ] || (cd "$runs/.." && dfst train "${@:2}" --resume); }
cd "$here"
ln -sfn "$runs" runs # so that commands in manifests name no folder of this machine

say "the four models: training and proof (under 20 minutes)"
for task in add2 add10 mult2 mult10; do
    train "$task-fast-s42" "$task"
    [ -f "runs/$task-fast-s42/certificate.json" ] || dfst certify "runs/$task-fast-s42"
done

say "self-practice (about 30 minutes)"
for task in add2 add10 mult2 mult10; do
    train "$task-practice-s42" "$task" --practice "runs/$task-fast-s42"
done

say "Table 1 (about 40 minutes, nearly all of it raw models on long inputs)"
python experiments/table1.py results/table1.json runs

say "curves (about 40 minutes)"
python experiments/curves.py results/curves.json runs/{add2,add10,mult2,mult10}-fast-s42 runs/{add2,add10,mult2}-practice-s42

say "seeds (about an hour)"
for data_seed in 42 1 2; do
    for task in add2 add10 mult2; do
        dfst train "$task" --seeds 0:10 --data-seed "$data_seed" --out "runs/d$data_seed/$task" --resume
    done
done
dfst train mult10 --seeds 0:2 --threads 1 --out runs/d42/mult10 --resume
python experiments/extract_sweep.py results/extraction.json runs/d*/*/s*

say "how little is enough (about half an hour)"
python experiments/data_sizes.py results/data_sizes.json \
    add2:{20,15,12,10,8,6}:0-4 add10:{225,160,112,56}:0-2 mult2:{375,188,94}:0-2

say "baselines: state merging (about 20 minutes), recurrent networks and a transformer (about an hour)"
python experiments/merging_table.py results/merging.json add2:{42,1,2} add10:{42,1,2} mult2:42
python experiments/baselines.py results/baselines.json add2 add10 mult2

say "pictures and tables"
dfst report curves --out docs/pictures
python -m experiments.render_readme

say "sweeps, faults and costs (about an hour)"
[ -f results/faults.json ] || python -m experiments.faults
[ -f results/fuzz.json ] || python -m experiments.fuzz
[ -f results/cluster.json ] || python -m experiments.cluster results/cluster.json
[ -f results/sweep_bench.json ] || python experiments/sweep_bench.py results/sweep_bench.json
[ -f results/scale.json ] || python -m experiments.scale results/scale.json
python -m experiments.render_reliability
python -m experiments.render_scale
