# The examples of docs/commands.md, in its order; a line "# dfst …" names the command that the lines below it belong to.
# They run from top to bottom in an empty folder.
# Extras used: plot and arena (export), data (sweep).

# dfst solve
dfst solve add10 58+67
dfst solve teacher:mult16 ff ff
dfst solve add10:raw 999999999999 1 --json

# dfst view
dfst view add10:raw 31415926535 27182818284 --out view.html
dfst view teacher:add10 58 67 --out film.svg

# dfst tasks
dfst tasks

# dfst new
dfst new my-task

# dfst data
dfst data my-task/my-task.dfst
dfst data add2 --seed 42 --out add2.jsonl
dfst data increment --noise 0.02 --out noisy.jsonl

# dfst doctor
dfst doctor my-task/my-task.dfst

# dfst learn
dfst learn increment
dfst learn noisy.jsonl --noisy --teacher increment --out corrected
dfst learn increment --ask --out asked

# dfst train
dfst train my-task/my-task.dfst --seeds 0:2 --iterations 10000
dfst train add2 --out adder

# dfst extract
dfst extract adder --suggestions 2 --out learned.dfst

# dfst certify
dfst certify adder
dfst certify learned.dfst --teacher add2 --out learned-proof

# dfst check
dfst check add10
dfst check adder/certificate.json --teacher add2 --weights adder/one_hot.safetensors --machine adder/machine.dfst
dfst check my-task/my-task.dfst

# dfst eval
dfst eval adder --rlg --to 40
dfst eval adder:machine add2:lasting --to 100

# dfst diff
dfst diff adder:machine
dfst diff add2:raw 111 1


# dfst sweep run
printf '[trial]\ntask = "increment"\nseed = "0:2"\niterations = 2000\n' > seeds.toml
dfst sweep run seeds.toml --shard 1/2
dfst sweep run seeds.toml --workers 2

# dfst sweep report
dfst sweep report sweeps/seeds

# dfst export
dfst export teacher:add2 --out teacher.dfst
dfst export adder --out learned.svg
dfst export teacher:add2 --out add2.dot
dfst export teacher:mult10 --out mult10.safetensors

# dfst import
dfst import add2.dot --teacher add2 --out again.dfst
