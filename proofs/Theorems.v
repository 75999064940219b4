(** What is proven, and that nothing was assumed: every line at the end must say "Closed under the global context". *)
From Coq Require Import ZArith NArith.
From Dfst Require Import Statement checker.Check checker.Sound network.OneHot.
From Dfst Require adder.Machine adder.Teacher multiplier.Teacher.
From Dfst Require models.Add2 models.Add10 models.Mult2 models.Mult10.
From Dfst Require gallery.Increment gallery.Double gallery.Halve.

(** * Certificates: what the checker accepts is so *)
Check verdict_equal : forall t l e never, verdict t l e = Some (true, never) -> equal t l.
Check verdict_until_stuck : forall t l e b never, verdict t l e = Some (b, never) -> equal_until_stuck t l.
Check verdict_never_stuck : forall t l e b, verdict t l e = Some (b, true) ->
  forall w, matches (parts t) w -> forall n, run (lookup (rules t)) n (begins t w) <> Stuck.

(** * Networks: one-hot weights make exactly the machine's steps *)
Check universal : forall a d, well_formed a = true -> (length (rules a) <= d)%nat -> forall w n,
  (N.to_nat (start a) < d)%nat ->
  alike (run (lookup (rules a)) n (begins a w)) (run (acting (one_hot a d)) n (input a (h0 (one_hot a d)) w)).

(** * Teachers, for every radix *)
Check adder.Teacher.adder_adds : forall r, (2 <= r)%N ->
  computes (adder.Machine.adder r) 0%N r (-1) 0 0 N.add adder.Teacher.adder_bound.
Check multiplier.Teacher.multiplier_multiplies : forall r, (2 <= r)%N ->
  computes (multiplier.Teacher.multiplier r) 0%N r 0 0 (-2) N.mul multiplier.Teacher.duration.

(** * The shipped models: teacher, extracted machine, network *)
Definition add2 := (Add2.learner_equals_teacher, Add2.teacher_adds, Add2.learner_adds, Add2.network_adds,
  Add2.weights_are_the_file).
Definition add10 := (Add10.learner_equals_teacher, Add10.teacher_adds, Add10.learner_adds, Add10.network_adds,
  Add10.weights_are_the_file).
Definition mult2 := (Mult2.learner_equals_teacher, Mult2.teacher_multiplies, Mult2.learner_multiplies,
  Mult2.network_multiplies, Mult2.weights_are_the_file).
Definition mult10 := (Mult10.learner_equals_teacher, Mult10.teacher_multiplies, Mult10.learner_multiplies,
  Mult10.network_multiplies, Mult10.weights_are_the_file).

(** * Three tasks of the gallery: x + 1, 2 x and x / 2 rounded down, by teacher and learner, for every decimal number *)
Definition gallery := (Increment.teacher_increments, Increment.learner_increments, Double.teacher_doubles,
  Double.learner_doubles, Halve.teacher_halves, Halve.learner_halves).

Definition everything := (verdict_equal, verdict_until_stuck, verdict_never_stuck, universal, hidden_one_hot,
  partial_sum, adder.Teacher.adder_adds, multiplier.Teacher.multiplier_multiplies, add2, add10, mult2, mult10,
  gallery).
Print Assumptions everything.
