(** Every input, with the head at its start, is held by one of the starts that the checker looks at. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check checker.Shapes.
Import ListNotations.

Section Starts.
Variables (void : N) (lowest : Z) (rows : nat).
Hypothesis row_0 : (lowest <= 0 < lowest + Z.of_nat rows)%Z.
Notation holds := (holds void lowest).
Notation within := (within void lowest).

Lemma input_holds ps w : matches ps w ->
  holds (input_half void lowest rows ps) (fun i y => if (y =? 0)%Z then nth i w void else void).
Proof.
  assert (Col : forall set a w, N.testbit set a = true ->
    within (set_nth (Z.to_nat (- lowest)) set (blanks void rows))
           (fun y => if (y =? 0)%Z then nth 0 (a :: w) void else void)).
  { intros set a v H. apply within_set with (c := fun _ => void).
    - unfold blanks. rewrite repeat_length. lia.
    - apply (within_blanks void lowest rows). reflexivity.
    - replace (_ + _)%Z with 0%Z by lia. exact H.
    - intros y Ne. destruct (Z.eqb_spec y 0); [lia|reflexivity]. }
  induction 1 as [|set many ps a w H _ IH|set ps a w H _ IH]; cbn [input_half map fst snd].
  - apply holds_end. intros i y. destruct (y =? 0)%Z, i; reflexivity.
  - apply holds_last; [apply Col, H|exact IH].
  - apply holds_more; [apply Col, H|exact IH].
Qed.

Section Input.
Variables (ps : list part) (w : list N).
Hypothesis fits : matches ps w.
Let g := alone void 0 0 w.

Lemma alone_at i y : g (Z.of_nat i) y = if (y =? 0)%Z then nth i w void else void.
Proof.
  unfold g, alone. destruct (Z.eqb_spec y 0); cbn [andb]; [|reflexivity].
  destruct (Z.leb_spec 0 (Z.of_nat i)); [|lia]. cbn [andb].
  rewrite Z.sub_0_r, Nat2Z.id.
  destruct (Z.ltb_spec (Z.of_nat i) (0 + Z.of_nat (length w))); [reflexivity|].
  symmetry. apply nth_overflow. lia.
Qed.

Lemma alone_left x y : (x < 0)%Z -> g x y = void.
Proof.
  intros H. unfold g, alone. destruct (Z.leb_spec 0 x); [lia|].
  rewrite andb_false_r. reflexivity.
Qed.

Lemma right_holds : forall n,
  holds (repeat (blanks void rows, false) n ++ input_half void lowest rows ps)
        (fun i => g (Z.of_nat i - Z.of_nat n)%Z).
Proof.
  induction n as [|n IH].
  - apply (holds_ext _ _ _ _ (input_holds _ _ fits)). intros. rewrite <- alone_at. f_equal. lia.
  - cbn [repeat app]. apply holds_last.
    + apply within_blanks. intros. apply alone_left. lia.
    + apply (holds_ext _ _ _ _ IH). intros. f_equal. lia.
Qed.

(** The head in column x, with these columns left of it, under it and right of it. *)
Definition placed (s : half * column * half) (x : Z) : Prop :=
  let '(l, c, r) := s in
  holds l (fun i => g (x - 1 - Z.of_nat i)%Z) /\ within c (g x) /\ holds r (fun i => g (x + 1 + Z.of_nat i)%Z).

Lemma walk_one_sound s x : placed s x -> exists s', In s' (walk_one void rows s) /\ placed s' (x + 1).
Proof.
  destruct s as [[l c] r]. intros (Hl & Hc & Hr).
  destruct (pop_sound _ _ rows _ _ Hr) as (C & h & I & WC & Wh).
  exists ((c, false) :: l, C, h). split.
  { unfold walk_one. apply in_map_iff. exists (C, h). auto. }
  split; [|split].
  - apply holds_last.
    + revert Hc. apply within_ext. intros. f_equal. lia.
    + apply (holds_ext _ _ _ _ Hl). intros. f_equal. lia.
  - revert WC. apply within_ext. intros. f_equal. lia.
  - apply (holds_ext _ _ _ _ Wh). intros. f_equal. lia.
Qed.

Lemma walk_sound : forall n found s x, In s found -> placed s x ->
  exists s', In s' (walk void rows n found) /\ placed s' (x + Z.of_nat n).
Proof.
  induction n as [|n IH]; intros found s x I P; cbn [walk].
  - exists s. replace (x + Z.of_nat 0)%Z with x by lia. auto.
  - destruct (walk_one_sound _ _ P) as (s' & I' & P').
    replace (x + Z.of_nat (S n))%Z with (x + 1 + Z.of_nat n)%Z by lia.
    apply (IH _ s'); [|exact P']. apply in_flat_map. eauto.
Qed.

Lemma all_starts_sound x : exists s, In s (all_starts void lowest rows ps x) /\ placed s x.
Proof.
  pose (n := Z.to_nat (- x)).
  destruct (pop_sound _ _ rows _ _ (right_holds n)) as (C & h & I & WC & Wh).
  assert (X : x = (- Z.of_nat n + Z.of_nat (Z.to_nat x))%Z) by lia.
  enough (exists s, In s (all_starts void lowest rows ps x) /\ placed s (- Z.of_nat n + Z.of_nat (Z.to_nat x)))
    by (rewrite <- X in *; assumption).
  apply (walk_sound _ _ ([], C, h)).
  - apply in_map_iff. exists (C, h). auto.
  - split; [|split].
    + apply holds_end. intros. apply alone_left. lia.
    + revert WC. apply within_ext. intros. f_equal; lia.
    + apply (holds_ext _ _ _ _ Wh). intros. f_equal. lia.
Qed.
End Input.
End Starts.
