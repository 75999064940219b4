(** Multiplying by one digit, in place. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement multiplier.Machine multiplier.Weights multiplier.Steps multiplier.Copy.
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

Section Operands.
Variables (n : nat) (A : Z -> N).
Hypothesis Hn : (0 < n)%nat.
Hypothesis HA : forall i, 0 <= i < n -> (A i < r)%N.
Variables (l : nat) (B : Z -> N).
Hypothesis HB : forall i, 0 <= i < l -> (B i < r)%N.
Local Notation tail := (Copy.tail r n l B).

(** ** Multiplying by one digit, in place *)

(** At weight t: the weights below t hold P, the others still a. *)
Lemma times_one i s d c e (t : nat) P p q h :
  s = times d c \/ (s = bring d /\ c = 0%N) -> (d < r)%N -> (c < N.max d 1)%N -> (t < n)%nat ->
  let v := (d * A t + c)%N in
  ends i (times d (v / r)) (e - 1 - S t) (-1)
    (rows p (part (e - 1) 0 (S t) (set P t (v mod r)) (part (e - 1) (S t) n A none)) q) h ->
  ends (S i) s (e - 1 - t) (-1) (rows p (part (e - 1) 0 t P (part (e - 1) t n A none)) q) h.
Proof.
  intros Es Hd Hc Ht v H.
  assert (Ha : (A t < r)%N) by (apply HA; lia).
  eapply (go1 (A t)) with (s' := times d (v / r)) (w := (v mod r)%N) (d := Left) (7 := H); easy_moves.
  { look. }
  { destruct Es as [-> | [-> ->]]; [| unfold v; rewrite N.add_0_r]; rule. }
  { row. }
Qed.

(** The invariant: P + carry * r^t = d * (the t last digits of a). *)
Lemma times_all i d c e (left t : nat) P p q h :
  (t + left)%nat = n -> (d < r)%N -> (c < N.max d 1)%N ->
  (forall i, 0 <= i < t -> (P i < r)%N) -> (val r P t + c * power r t = d * val r A t)%N ->
  (forall P', (forall i, 0 <= i < n + 1 -> (P' i < r)%N) -> (val r P' (S n) = d * val r A n)%N ->
    ends i return_ (e - n) (-1) (rows p (part (e - 1) 0 (n + 1) P' none) q) h) ->
  ends (left + 1 + i) (times d c) (e - 1 - t) (-1) (rows p (part (e - 1) 0 t P (part (e - 1) t n A none)) q) h.
Proof.
  revert c t P. induction left as [| left IH]; intros c t P Ht Hd Hc HP HV K.
  - replace t with n in * by lia.
    apply (go1 r (part (e - 1) 0 (n + 1) (set P n c) none))
      with (s' := return_) (w := c) (d := Right) (x' := e - n) (y' := -1); easy_moves.
    { look. }
    { rule. }
    { row. }
    apply K.
    + intros j Hj. unfold set. destruct (Z.eqb_spec j n); [lia | apply HP; lia].
    + cbn [val]. rewrite (val_ext r (set P n c) P).
      * unfold set. rewrite Z.eqb_refl. exact HV.
      * intros j Hj. unfold set. destruct (Z.eqb_spec j n); [lia | reflexivity].
  - apply times_one with (d := d) (c := c); auto; [lia |].
    assert (Ha : (A t < r)%N) by (apply HA; lia).
    set (v := (d * A t + c)%N).
    assert (Hv := N.div_mod' v r). assert (Hm : (v mod r < r)%N) by (apply N.mod_lt; lia).
    apply IH; auto; [lia | | |].
    + apply N.div_lt_upper_bound; [lia |]. unfold v. nia.
    + intros j Hj. unfold set. destruct (Z.eqb_spec j t); [exact Hm | apply HP; lia].
    + cbn [val power]. rewrite (val_ext r (set P t _) P).
      * unfold set. rewrite Z.eqb_refl.
        assert (X : (v * power r t = (r * (v / r) + v mod r) * power r t)%N) by congruence.
        unfold v in X at 1. nia.
      * intros j Hj. unfold set. destruct (Z.eqb_spec j t); [lia | reflexivity].
Qed.

(** From taking the digit d of weight k of b to the end of the partial product. *)
Lemma multiply i (k : nat) t h :
  (k < l)%nat -> let e := n - 1 - k in
  (forall P, (forall i, 0 <= i < n + 1 -> (P i < r)%N) -> (val r P (S n) = B k * val r A n)%N ->
    ends i (sum 0) (e - 1) (-1) (rows (part (e - 1) 0 n A (tail (S k))) (part (e - 1) 0 (n + 1) P none) t) h) ->
  ends (l + 2 * n + 5 + i) take (n + l - k) 0 (rows (part (e - 1) 0 n A (tail k)) (part (e - 1) 0 n A none) t) h.
Proof.
  intros Hk e K. assert (Hb : (B k < r)%N) by (apply HB; lia).
  steps (S (l + 2 + S (n - 1 + 1 + (n + S i))))%nat.
  apply (go0 (B k) (part (e - 1) 0 n A (tail (S k))))
    with (s' := bring (B k)) (w := r) (d := Down) (x' := n + l - k) (y' := -1); easy_moves.
  { unfold tail. look. }
  { rule. }
  { unfold tail. row. }
  apply (walk_left (l + 2)).
  { intros z Hz. see r. rule. }
  replace (n + l - k - (l + 2)%nat) with (e - 1 - 0%nat) by lia.
  eapply ends_same with
    (g' := rows _ (part (e - 1) 0 0%nat none (part (e - 1) 0%nat n A none)) _).
  { apply rows_same; [reflexivity | row | reflexivity]. }
  apply times_one with (d := B k) (c := 0%N); auto; [lia |].
  assert (Ha : (A 0%nat < r)%N) by (apply HA; lia).
  set (v := (B k * A 0%nat + 0)%N).
  assert (Hv := N.div_mod' v r). assert (Hm : (v mod r < r)%N) by (apply N.mod_lt; lia).
  apply (times_all _ (B k) _ e (n - 1)); auto; [lia | | | |].
  - apply N.div_lt_upper_bound; [lia |]. unfold v. nia.
  - intros j Hj. unfold set. destruct (Z.eqb_spec j 0%nat); [exact Hm | lia].
  - cbn [val power]. unfold set. rewrite Z.eqb_refl. unfold v in Hv at 1. lia.
  - intros P HP HV. apply (walk_right n).
    { intros z Hz. assert (P (e - 1 - z)%Z < r)%N by (apply HP; lia). see (P (e - 1 - z)). rule. }
    apply pass with (s' := sum 0) (d := Left) (x' := e - 1) (y' := -1); easy_moves; [| apply K; auto].
    see r. rule.
Qed.
End Operands.
End Run.
