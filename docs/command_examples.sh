# The examples of docs/commands.md, in its order; a line "# dfst …" names the command that the lines below it belong to.
# They run from top to bottom in an empty folder; only `report` also needs the folder results/ of a checkout in it.
# Extras used: plot (plot, view, draw, machine draw, report curves), baselines (machine aalpy), sweep (sweep,
# report sweep), jax and a C compiler (bench).

# dfst experts
dfst experts

# dfst gallery
dfst gallery

# dfst run
dfst run add10 999999999999 1
dfst run palindrome 0110110 --engine reference --json

# dfst new
dfst new my-task

# dfst machine check
dfst machine check my-task/my-task.dfst

# dfst data
dfst data my-task/my-task.dfst
dfst data add2 --seed 42 --out add2.jsonl

# dfst doctor
dfst doctor my-task/my-task.dfst

# dfst train
dfst train my-task/my-task.dfst --seeds 0:2 --iterations 10000
dfst train add2 --out adder

# dfst plot
dfst plot adder runs/my-task-fast-s0 --out loss.svg

# dfst solve
dfst solve adder 1011 110
dfst solve teacher:mult16 ff ff

# dfst eval
dfst eval adder --rlg --forecast --to 40

# dfst sweep
printf '[trial]\ntask = "increment"\nseed = "0:2"\niterations = 2000\n' > seeds.toml
dfst sweep seeds.toml --workers 2

# dfst extract
dfst extract adder --suggestions 2 --out learned.dfst

# dfst certify
dfst certify adder
dfst certify learned.dfst --task add2 --out learned-proof

# dfst check
dfst check adder/certificate.json --teacher add2 --weights adder/one_hot.safetensors --machine adder/machine.dfst

# dfst diff
dfst diff adder/machine.dfst add2
dfst diff teacher:add2 add2 111 1

# dfst view
dfst view add10:raw 31415926535 27182818284 --out view.html
dfst view reverse abcab --png reverse.png --out reverse.html

# dfst watch
dfst watch increment 1999

# dfst draw margins
dfst draw margins add10:raw 31415926535 27182818284 --out margins.svg

# dfst draw coverage
dfst draw coverage add2 --out coverage.svg

# dfst draw atlas
dfst draw atlas adder --out atlas.svg

# dfst machine show
dfst machine show add2 --out teacher.dfst

# dfst machine dot
dfst machine dot teacher.dfst --out teacher.dot

# dfst machine draw
dfst machine draw adder --out learned.svg

# dfst machine film
dfst machine film add10 58 67 --out film.svg

# dfst machine morphett
printf '0 0 1 r 0\n0 1 0 r 0\n0 _ _ * halt\n' > flip.txt
dfst machine morphett flip.txt --out flip.dfst

# dfst machine aalpy
dfst machine aalpy add2 --out add2.dot

# dfst machine from-dot
dfst machine from-dot add2.dot --like add2 --out again.dfst

# dfst models
dfst models

# dfst model one-hot
dfst model one-hot mult10 --out mult10.safetensors

# dfst model info
dfst model info mult10.safetensors

# dfst model replay
dfst model replay mult10.safetensors mult10 31415926 27182818

# dfst report table1
dfst report table1

# dfst report sweep
dfst report sweep sweeps/seeds

# dfst report raw-lengths
dfst report raw-lengths

# dfst report baselines
dfst report baselines --markdown

# dfst report curves
dfst report curves --out pictures

# dfst completion
dfst completion bash --out dfst-completion.bash

# dfst bench train
dfst bench train --quick

# dfst bench act
dfst bench act --quick
