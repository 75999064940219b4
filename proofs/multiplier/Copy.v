(** Copying a, and walking to the end of b. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement multiplier.Machine multiplier.Weights multiplier.Steps.
Import ListNotations.
Local Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.
Set Default Proof Using "All". (* every lemma takes all variables of its section: other files can name them *)

(** The machine, and the lemmas of the files before about it. *)
Section Run.
Variables (r : N) (m : policy N) (number : named -> N).
Hypothesis Hr : (2 <= r)%N.
Hypothesis Him : implements m number r.
Local Notation ends := (Steps.ends m number).
Local Notation rows := (Steps.rows r).
Local Notation none := (Steps.none r).
Local Notation ends_same := (Steps.ends_same r m number Hr Him).
Local Notation ends_halt := (Steps.ends_halt r m number Hr Him).
Local Notation go0 := (Steps.go0 r m number Hr Him).
Local Notation go1 := (Steps.go1 r m number Hr Him).
Local Notation go2 := (Steps.go2 r m number Hr Him).
Local Notation pass := (Steps.pass r m number Hr Him).
Local Notation walk_right := (Steps.walk_right r m number Hr Him).
Local Notation walk_left := (Steps.walk_left r m number Hr Him).
Local Notation rows_same := (Steps.rows_same r m number Hr Him).

(** ** Copying a *)

Section Operands.
Variables (n : nat) (A : Z -> N).
Hypothesis Hn : (0 < n)%nat.
Hypothesis HA : forall i, 0 <= i < n -> (A i < r)%N.

(** The digit of weight u - 1 of a is moved one to the left and copied. *)
Lemma copy_one i s e u rest t h :
  s = pick \/ s = seek -> 0 < u <= n -> (forall z, z <= e -> rest z = r) ->
  ends i pick (e - u + 2) 0
    (rows (part (e - 1) (u - 1) n A (part e 0 (u - 1) A rest)) (part (e - 1) (u - 1) n A none) t) h ->
  ends (5 + i) s (e - u + 1) 0 (rows (part (e - 1) u n A (part e 0 u A rest)) (part (e - 1) u n A none) t) h.
Proof.
  intros Es Hu Hrest H.
  assert (Ha : (A (u - 1) < r)%N) by (apply HA; lia).
  assert (R1 := Hrest (e - u + 1) ltac:(lia)). assert (R2 := Hrest (e - u) ltac:(lia)).
  apply (go0 (A (u - 1)) (part (e - 1) u n A (part e 0 (u - 1) A rest)))
    with (s' := shift (A (u - 1))) (w := r) (d := Left) (x' := e - u) (y' := 0); easy_moves.
  { look. }
  { destruct Es as [-> | ->]; rule. }
  { row. }
  apply (go0 r (part (e - 1) (u - 1) n A (part e 0 (u - 1) A rest)))
    with (s' := copy (A (u - 1))) (w := A (u - 1)) (d := Down) (x' := e - u) (y' := -1); easy_moves.
  { look. }
  { rule. }
  { row. }
  apply (go1 r (part (e - 1) (u - 1) n A none))
    with (s' := over) (w := A (u - 1)) (d := Up) (x' := e - u) (y' := 0); easy_moves.
  { look. }
  { rule. }
  { row. }
  apply pass with (s' := step_) (d := Right) (x' := e - u + 1) (y' := 0); easy_moves.
  { see (A (u - 1)). rule. }
  apply pass with (s' := pick) (d := Right) (x' := e - u + 2) (y' := 0); easy_moves.
  { see r. rule. }
  exact H.
Qed.

(** All of a: at first its weight 0 is in column e, then in column e - 1, in row 0 and in row -1. *)
Lemma copy_a i s e rest t h :
  s = pick \/ s = seek -> (forall z, z <= e -> rest z = r) ->
  ends i pick (e + 1) 0 (rows (part (e - 1) 0 n A rest) (part (e - 1) 0 n A none) t) h ->
  ends (5 * n + i) s (e - n + 1) 0 (rows (part e 0 n A rest) none t) h.
Proof.
  intros Es Hrest H.
  assert (Loop : forall u : nat, (u <= n)%nat ->
    ends (5 * u + i) pick (e - u + 1) 0 (rows (part (e - 1) u n A (part e 0 u A rest)) (part (e - 1) u n A none) t) h).
  { induction u; intro Hu.
    - replace (e - 0%nat + 1) with (e + 1) by lia. eapply ends_same; [| exact H].
      apply rows_same; row.
    - steps (5 + (5 * u + i))%nat. apply copy_one; auto; [lia |].
      replace (e - S u + 2) with (e - u + 1) by lia. replace (S u - 1) with (u : Z) by lia.
      apply IHu. lia. }
  eapply ends_same with (g' := rows (part (e - 1) n n A (part e 0 n A rest)) (part (e - 1) n n A none) t).
  { apply rows_same; row. }
  steps (5 + (5 * (n - 1) + i))%nat. apply copy_one; auto; [lia |].
  replace (e - n + 2) with (e - (n - 1)%nat + 1) by lia. replace (n - 1) with ((n - 1)%nat : Z) by lia.
  apply Loop. lia.
Qed.

(** ** Walking to the end of b *)

Variables (l : nat) (B : Z -> N).
Hypothesis HB : forall i, 0 <= i < l -> (B i < r)%N.

(** The sign and what is left of b: its digits of weight k and above. *)
Definition tail (k : Z) : Z -> N := part n 0 1 (fun _ => (r + 1)%N) (part (n + l) k l B none).

Lemma to_the_end i (k : nat) q t h :
  (k <= l)%nat -> let g := rows (part (n - 1 - k - 1) 0 n A (tail k)) q t in
  ends i take (n + l - k) 0 g h -> ends (l + 2 + i) pick (n - 1 - k + 1) 0 g h.
Proof.
  intros Hk g H.
  assert (Walked : ends (l - k + (1 + i)) right_ (n + 1) 0 g h).
  { apply (walk_right (l - k)).
    - intros z Hz. assert (B (n + l - z) < r)%N by (apply HB; lia).
      unfold g, tail. see (B (n + l - z)). rule.
    - apply pass with (s' := take) (d := Left) (x' := n + l - k) (y' := 0); easy_moves; [| exact H].
      unfold g, tail. see r. rule. }
  destruct k as [| k].
  - steps (S (l - 0 + (1 + i)))%nat.
    apply pass with (s' := right_) (d := Right) (x' := n + 1) (y' := 0); easy_moves; [| exact Walked].
    unfold g, tail. see (r + 1)%N. rule.
  - steps (S (k + S (l - S k + (1 + i))))%nat.
    apply pass with (s' := gap) (d := Right) (x' := n - k) (y' := 0); easy_moves.
    { unfold g, tail. see r. rule. }
    apply (walk_right k).
    { intros z Hz. unfold g, tail. see r. rule. }
    apply pass with (s' := right_) (d := Right) (x' := n + 1) (y' := 0); easy_moves; [| exact Walked].
    unfold g, tail. see (r + 1)%N. rule.
Qed.
End Operands.
End Run.
