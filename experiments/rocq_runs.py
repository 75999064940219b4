"""Runs of machines in Python and in Rocq, step by step: one number for everything that is seen, written and moved.

Rocq reads the machine from its canonical text, and makes the same steps with it and, if it is not too large, with its
one-hot network.
"""

import random
from itertools import islice

from dfst.prove import rocq_file
from dfst.prove.certificate import machine_json
from dfst.world.machine import GridMachine
from dfst.world.moves import Move

MODULUS, FACTOR, SHIFT = 2**61, 1000003, 10**6
HALTED, STUCK, GOING = 1, 2, 3
LARGEST = 30
"""The most states with which the network runs as well: a step takes time in their square."""

PREAMBLE = f"""
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement files.Json files.Agent network.OneHot.
Import ListNotations.
Local Open Scope N_scope.
Definition mix (acc : N) (l : list N) : N := fold_left (fun a v => (a * {FACTOR} + v + 1) mod {MODULUS}) l acc.
Definition shifted (z : Z) : N := Z.to_N (z + {SHIFT}).
Fixpoint digest {{Q}} (m : policy Q) (n : nat) (c : config Q) (acc : N) : N :=
  match n with
  | O => mix acc [{GOING}]
  | S n =>
      let seen := cells c (hx c) (hy c) in
      match m (state c) seen with
      | None => mix acc [{STUCK}]
      | Some a =>
          let acc := mix acc [seen; shifted (hx c); shifted (hy c); written a; N.of_nat (move_no (going a))] in
          match step m c with Going c => digest m n c acc | _ => mix acc [{HALTED}] end
      end
  end.
Definition both (t : text) (w : list N) (n : nat) : option (N * N) :=
  do a <- read t;
  let d := length (rules a) in
  let machine := digest (lookup (rules a)) n (begins a w) 1 in
  let network := one_hot a d in
  Some (machine, if Nat.leb d {LARGEST} then digest (acting network) n (input a (h0 network) w) 1 else machine).
Definition differs (p : nat * option (N * N) * N) : bool :=
  match p with (_, Some (m, w), wanted) => negb ((m =? wanted) && (w =? wanted)) | _ => true end.
"""


def mix(acc: int, *values: int) -> int:
    for value in values:
        acc = (acc * FACTOR + value + 1) % MODULUS
    return acc


def digest(machine: GridMachine, operands: tuple[str, ...], steps: int) -> int:
    """The number of the first ``steps`` steps."""
    acc, index, made, last = 1, machine.alphabet.index, 0, None
    for at in islice(machine.configurations(*operands), steps):
        acc = mix(acc, index[at.seen], at.cell[0] + SHIFT, at.cell[1] + SHIFT, index[at.written], int(at.move))
        made, last = made + 1, at.move
    return mix(acc, HALTED if last == Move.S else GOING if made == steps else STUCK)


def text_of(machine: GridMachine) -> str:
    made = machine_json(machine)
    return rocq_file.canonical(made | {"teacher": made}, "teacher")


def rocq_text(runs: list[tuple[GridMachine, tuple[str, ...]]], steps: int) -> str:
    """A file that makes all these runs, and prints the numbers of those that are not Python's."""
    out, rows = [PREAMBLE], []
    for i, (machine, operands) in enumerate(runs):
        out.append(rocq_file.text(f"machine{i}_", text_of(machine).encode()))
        word = ";".join(map(str, machine.place(operands).tolist()))
        rows.append(f"({i}%nat, both machine{i}_ [{word}] {steps}, {digest(machine, operands, steps)})")
    listed = ";\n".join(rows)
    out.append(f"Definition wrong := Eval vm_compute in filter differs [\n{listed}].\n")
    return "".join(out) + "Eval vm_compute in (length wrong, map (fun p => fst (fst p)) wrong).\n"


def table_number(machine: GridMachine) -> int:
    """One number for a whole table."""
    acc = 1
    for row in machine.table:
        for entry in row:
            acc = mix(acc, 0) if entry is None else mix(acc, 1 + max(entry[0], 0), entry[1], entry[2])
    return acc


def tables_text(adders: dict[int, int], multipliers: dict[int, int]) -> str:
    """A file that compares the tables of the teachers that are proven with those of Python, by their numbers."""
    rows = [f"(table_number (adder {r}) (9 + {r}) (2 + {r}) =? {n})" for r, n in adders.items()]
    rows += [f"(let t := tabulate {r} in table_number (lookup t) (N.of_nat (length t)) (2 + {r}) =? {n})"
             for r, n in multipliers.items()]  # fmt: skip
    return f"""{PREAMBLE}
From Dfst Require Import checker.Check adder.Machine multiplier.Teacher.
Definition entry_number (acc : N) (e : option (action N)) : N :=
  match e with
  | None => mix acc [0]
  | Some a => mix acc [1 + (if same_move (going a) Stay then 0 else following a); written a;
      N.of_nat (move_no (going a))]
  end.
Definition table_number (m : policy N) (states symbols : N) : N :=
  fold_left (fun acc q => fold_left (fun acc x => entry_number acc (m q x)) (upto symbols) acc) (upto states) 1.
Definition wrong := Eval vm_compute in filter negb [{";".join(rows)}].
Eval vm_compute in (length wrong, wrong).
"""


def random_word(draw: random.Random, digits: str, longest: int) -> str:
    return "".join(draw.choice(digits) for _ in range(draw.randint(1, longest)))
