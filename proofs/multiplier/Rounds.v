(** The rounds, and clearing up. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement multiplier.Machine multiplier.Weights multiplier.Steps.
From Dfst Require Import multiplier.Copy multiplier.Times multiplier.Sum.
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
Local Notation copy_a := (Copy.copy_a r m number Hr Him n A Hn HA).
Local Notation to_the_end := (Copy.to_the_end r m number Hr Him n A Hn HA l B HB).
Local Notation multiply := (Times.multiply r m number Hr Him n A Hn HA l B HB).
Local Notation sum_all := (Sum.sum_all r m number Hr Him n A Hn HA).
Local Notation clean := (Sum.clean r).
Local Notation gathered := (Sum.gathered n).

(** ** Rounds *)

(** Row -2 after k rounds: n + k digits (none in the beginning), of the value a * (the k last digits of b). *)
Definition size (k : nat) : nat := match k with O => O | _ => k + n end.
Definition product (k : nat) (Q : Z -> N) : Prop :=
  (forall j, 0 <= j < size k -> (Q j < r)%N) /\ (forall j, j < 0 \/ size k <= j -> Q j = r) /\
  (val r Q (size k) = val r A n * val r B k)%N.

Definition board (k : nat) (Q : Z -> N) : grid := rows (part (n - 1 - k) 0 n A (tail k)) none (gathered Q).

Lemma tail_blank (k : nat) z : (k <= l)%nat -> z < n -> tail k z = r.
Proof. intros. unfold tail. look. Qed.

(** A round turns the product with k digits of b into the one with k + 1 digits of b. *)
Lemma round i s (k : nat) Q h :
  s = pick \/ s = seek -> (k < l)%nat -> product k Q ->
  (forall Q', product (S k) Q' -> ends i seek (- S k) 0 (board (S k) Q') h) ->
  ends (10 * n + 2 * l + 13 + i) s (- k) 0 (board k Q) h.
Proof.
  intros Es Hk (HQ & HO & HV) K. unfold board.
  replace (- k) with (n - 1 - k - n + 1) by lia.
  steps (5 * n + (l + 2 + (l + 2 * n + 5 + (3 * n + 4 + (2 + i)))))%nat.
  apply copy_a; auto.
  { intros. apply tail_blank; lia. }
  apply to_the_end; [lia |].
  apply multiply; auto. intros P HP HPV.
  assert (Hval : val r (clean Q) (k + n) = (val r A n * val r B k)%N).
  { rewrite <- HV. destruct k as [| k].
    - cbn [size val Nat.add] in *. clear - HO. induction n as [| i IH]; [reflexivity |].
      cbn [val]. rewrite IH. unfold clean. rewrite HO, N.ltb_irrefl by lia. lia.
    - apply val_ext. intros j Hj. unfold clean. specialize (HQ j Hj).
      destruct (N.ltb_spec (Q j) r); [reflexivity | lia]. }
  assert (Htotal : (val r (clean Q) (k + n) + power r k * val r P (S n) = val r A n * val r B (S k))%N).
  { rewrite Hval, HPV. cbn [val]. lia. }
  apply sum_all; auto.
  - intros j Hj. apply HQ. destruct k; cbn [size]; lia.
  - intros j Hj. apply HO. destruct k; cbn [size]; lia.
  - destruct k; cbn [size] in *; [right; intros; apply HO; lia | left; intros; apply HQ; lia].
  - rewrite Htotal. change (S (k + n)) with (S k + n)%nat. rewrite power_add.
    assert (val r A n < power r n)%N by (apply val_bound; auto).
    assert (val r B (S k) < power r (S k))%N by (apply val_bound; intros; apply HB; lia).
    nia.
  - rewrite Htotal. intros Q' HQ' HO' HV'.
    apply (walk_right 2).
    { intros z Hz. assert (Hz' := tail_blank (S k) z ltac:(lia) ltac:(lia)). see r. rule. }
    replace (n - 1 - k - 2 - n + 2%nat) with (- S k) by lia.
    eapply ends_same; [| apply (K Q'); repeat split; auto].
    apply rows_same; auto. intro z. replace (n - 1 - k - 1) with (n - 1 - S k) by lia. reflexivity.
Qed.

(** ** Clearing *)

Lemma clear_all (left u : nat) s e t (h : grid -> Prop) :
  (u + left)%nat = n -> s = clear_next \/ (s = clear /\ (u < n)%nat) ->
  (forall g, same g (rows none none t) -> h g) ->
  ends (3 * left + 1) s (e - u) 0 (rows (part e u n A none) (part e u n A none) t) h.
Proof.
  revert u s. induction left as [| left IH]; intros u s Hu Es K.
  - replace u with n in * by lia. destruct Es as [-> | [-> ?]]; [| lia].
    apply ends_halt with (s' := pick) (w := r).
    + see r. rule.
    + intros g Hg. apply K. intros x y. rewrite Hg. unfold put, rows. look.
  - assert (Ha : (A u < r)%N) by (apply HA; lia).
    steps (3 + (3 * left + 1))%nat.
    apply (go0 (A u) (part e (S u) n A none))
      with (s' := clear_copy) (w := r) (d := Down) (x' := e - u) (y' := -1); easy_moves.
    { look. }
    { destruct Es as [-> | [-> ?]]; rule. }
    { row. }
    apply (go1 (A u) (part e (S u) n A none))
      with (s' := clear_up) (w := r) (d := Up) (x' := e - u) (y' := 0); easy_moves.
    { look. }
    { rule. }
    { row. }
    apply pass with (s' := clear_next) (d := Left) (x' := e - S u) (y' := 0); easy_moves.
    { see r. rule. }
    apply IH; auto; lia.
Qed.

(** When b is used up. *)
Lemma finish s Q (h : grid -> Prop) :
  s = pick \/ s = seek -> (forall g, same g (rows none none (gathered Q)) -> h g) ->
  ends (8 * n + 2 * l + 5) s (- l) 0 (board l Q) h.
Proof.
  intros Es K. unfold board.
  replace (- l) with (n - 1 - l - n + 1) by lia.
  steps (5 * n + (l + 2 + S (l + 1 + (3 * n + 1))))%nat.
  apply copy_a; auto.
  { intros. apply tail_blank; lia. }
  apply to_the_end; [lia |].
  apply (go0 (r + 1)%N (part (n - 1 - l - 1) 0 n A none))
    with (s' := clear) (w := r) (d := Left) (x' := n - 1) (y' := 0); easy_moves.
  { unfold tail. look. }
  { rule. }
  { unfold tail. row. }
  apply (walk_left (l + 1)).
  { intros z Hz. see r. rule. }
  replace (n - 1 - (l + 1)%nat) with (n - 1 - l - 1 - 0%nat) by lia.
  apply clear_all with (left := n); auto; lia.
Qed.

(** ** The whole run *)

Lemma rounds (left k : nat) s Q (h : grid -> Prop) :
  (k + left)%nat = l -> s = pick \/ s = seek -> product k Q ->
  (forall Q' g, product l Q' -> same g (rows none none (gathered Q')) -> h g) ->
  ends (left * (10 * n + 2 * l + 13) + (8 * n + 2 * l + 5)) s (- k) 0 (board k Q) h.
Proof.
  revert k s Q. induction left as [| left IH]; intros k s Q Hk Es HQ K.
  - replace k with l in * by lia. apply finish; eauto.
  - cbn [Nat.mul]. rewrite <- Nat.add_assoc. apply round; auto; [lia |]. intros Q' HQ'. apply IH; auto; lia.
Qed.

End Operands.
End Run.
