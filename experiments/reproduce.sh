#!/usr/bin/env bash
# Everything behind results/*.json and the pages that show it: more than a day on two cores.
# Usage: experiments/reproduce.sh FOLDER [PART...]     (all parts in the order below, if none is named)
#
# Training runs go to FOLDER/runs, once each; whatever is finished there or in results/ is kept, so that a stopped
# reproduction resumes. To measure a file anew, remove it from results/ first. A part for every file in results/ has
# its name; models, seeds, lasting and paper are the training runs that the others read, and pages renders
# what they found.
#
# TIMED parts report seconds and need a quiet computer. The others may run beside each other, a core for each:
#     taskset -c 0 experiments/reproduce.sh FOLDER seeds extraction
#     taskset -c 1 experiments/reproduce.sh FOLDER data_sizes curves
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }
python -m experiments.measuring # refuses sources that are not committed
folder=$1
shift

TIMED="models lasting table1 gallery merging user_machines time_to_proof time_to_lasting baselines bench_train sweep_bench scale"
ORDER="models seeds lasting paper raw_lengths ranks table1 extraction gallery data_sizes curves merging user_machines time_to_proof time_to_lasting noise asking baselines network_proofs logs log_rivals log_ladder"
ORDER+=" bench_train sweep_bench scale cluster faults fuzz rocq pages"

train() { [ -f "runs/$1/model.safetensors" ] || dfst train "${@:2}" --resume; }

gallery_tasks() { basename -s .dfst src/dfst/teachers/gallery/*.dfst; }

models() { # the four models, trained and proven: under 20 minutes
    for task in add2 add10 mult2 mult10; do
        train "$task-fast-s42" "$task"
        [ -f "runs/$task-fast-s42/certificate.json" ] || dfst certify "runs/$task-fast-s42"
    done
}
seeds() { # an hour
    for task in add2 add10; do
        dfst train "$task" --seeds 0:10 --data-seed 42 --out "runs/d42/$task" --resume
        for data_seed in 3 4; do # held out: nothing was chosen by looking at them
            dfst train "$task" --seeds 0:3 --data-seed "$data_seed" --out "runs/d$data_seed/$task" --resume
        done
    done
    dfst train mult2 --seeds 0:3 --data-seed 42 --out runs/d42/mult2 --resume
}
lasting() { # eight hours, five of them mult10
    for task in add2 add10 mult2; do
        dfst train "$task" --recipe lasting --seeds 0:10 --out "runs/lasting/$task" --resume || true # a seed may fail
    done
    dfst train mult10 --recipe lasting --seeds 0:5 --out runs/lasting/mult10 --resume || true
    for task in $(gallery_tasks); do
        train "lasting/$task/s0" "$task" --recipe lasting --seed 0 --out "runs/lasting/$task/s0"
    done
}
paper() { # the paper's recipe to the letter: twelve hours, nine of them mult2
    for task in add2 add10; do
        dfst train "$task" --recipe paper --seeds 0:20 --out "runs/paper/$task" --resume || true # a seed may overflow
    done
    dfst train mult2 --recipe paper --seeds 0:3 --out runs/paper/mult2 --resume || true
}
raw_lengths() { # needs seeds, lasting and paper; an hour
    python -m experiments.raw_lengths results/raw_lengths.json runs/d42/*/s* runs/lasting/*/s* runs/paper/*/s* \
        runs/lasting/mult10/s*/stages/d108 # the first fit of a lasting run is one by the recipe fast
}
ranks() { # ten minutes
    python -m experiments.ranks results/ranks.json add2 add10 mult2 mult10 $(gallery_tasks)
}
table1() { # 40 minutes, nearly all of it raw models on long inputs
    python -m experiments.table1 results/table1.json runs
}
extraction() { # needs models and seeds
    python -m experiments.extraction results/extraction.json runs/mult10-fast-s42 runs/d*/*/s*
}
gallery() { # 20 minutes
    python -m experiments.gallery results/gallery.json src/dfst/teachers/gallery
    python -m experiments.gallery_networks results/gallery_networks.json src/dfst/teachers/gallery runs/gallery
}
data_sizes() { # half an hour
    python -m experiments.data_sizes results/data_sizes.json \
        add2:{20,10,6}:0-2 add10:{225,112}:0-1 \
        add2:{6,4}:0-1:covering add10:{112,60,45}:0-1:covering mult2:94:0:covering
}
curves() { # needs models and paper; half an hour
    python -m experiments.curves results/curves.json runs/{add2,add10,mult2}-fast-s42 \
        runs/paper/add2/s{0,2,4,8} runs/paper/add10/s{0,1,2}
}
merging() { # 20 minutes
    python -m experiments.merging results/merging.json add2:{42,1} add10:{42,1} mult2:42
}
user_machines() { # 15 minutes
    python -m experiments.user_machines results/user_machines.json
}
time_to_proof() { # half an hour
    python -m experiments.time_to_proof results/time_to_proof.json add2:0-9 add10:0-9 mult2:0-9 mult10:0-2
}
time_to_lasting() { # an hour, most of it mult10
    python -m experiments.time_to_lasting results/time_to_lasting.json runs/timed add2:0-2 add10:0-1 mult2:0-1 mult10:0
}
noise() { # an hour
    python -m experiments.noise results/noise.json increment palindrome collatz subtract reverse compare add2 add10 mult2
}
asking() { # two hours
    python -m experiments.asking results/asking.json increment palindrome collatz double halve sort-bits brackets rule110 \
        unary-to-binary subtract reverse compare copy binary-to-unary gcd meander divide add2 mult2 add10
}
baselines() { # an hour
    python -m experiments.baselines results/baselines.json add2 add10 mult2
}
bench_train() {
    [ -f results/bench_train.json ] || python -m experiments.bench_train results/bench_train.json --quick
}
sweep_bench() {
    [ -f results/sweep_bench.json ] || python -m experiments.sweep_bench results/sweep_bench.json
}
scale() {
    [ -f results/scale.json ] || python -m experiments.scale results/scale.json
}
network_proofs() { # fourteen hours
    python -m experiments.network_proofs results/network_proofs.json runs/networks lasting/add2:3-9 \
        $(for task in add2 add10 mult2 mult10 $(gallery_tasks); do echo "fast/$task:0-2" "lasting/$task:0-2"; done)
}
# These three need a copy of the Automata Wiki's benchmarks (on GitHub: damascenodiego/automata_wiki) in runs/wiki.
logs() { # eight hours for one seed
    python -m experiments.logs results/logs.json runs/wiki $(for seed in 0 1 2; do
        for log in 0:0 1:0 5:0 0:5 0:20; do echo "walks:$log:$seed" "telling:$log:$seed"; done
    done)
}
log_rivals() {
    python -m experiments.log_rivals results/log_rivals.json runs/wiki \
        $(for noise in 0 1 5; do echo "walks:$noise:0:0" "telling:$noise:0:0"; done)
}
log_ladder() {
    python -m experiments.log_ladder results/log_ladder.json runs/wiki \
        $(for model in OpenSSH TCP_Linux_Server BitVise m196 jsse-12_rsa_cert_req m24 m173; do echo "$model:600"; done)
}
cluster() {
    [ -f results/cluster.json ] || python -m experiments.faults results/cluster.json
}
faults() {
    [ -f results/faults.json ] || python -m experiments.faults results/faults.json
}
fuzz() {
    [ -f results/fuzz.json ] || python -m experiments.faults results/fuzz.json
}
rocq() { # needs coqc
    [ -f results/rocq.json ] || python -m experiments.rocq results/rocq.json 1
}
pages() {
    python -m experiments.pages.pictures
    python -m experiments.render
}

parts=${*:-$ORDER}
for part in $parts; do
    case " $ORDER " in *" $part "*) ;; *) echo "there is no part $part; there are: $ORDER" >&2; exit 2 ;; esac
done
mkdir -p "$folder/runs"
ln -sfn "$(cd "$folder/runs" && pwd)" runs # so that commands in manifests name no folder of this machine
for part in $parts; do
    kind=untimed
    case " $TIMED " in *" $part "*) kind=timed ;; esac
    printf '\n== %s, %s (%s s)\n' "$part" "$kind" "$SECONDS"
    "$part"
done
