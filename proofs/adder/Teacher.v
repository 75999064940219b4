(** The theorem about the adder, for every radix, with a bound on its steps. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words adder.Machine adder.Rounds.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation digits r w := (Forall (fun d => d < r)%N w).

(** * A bound on the number of steps *)

(** The last digit of a word, 0 if there is none. *)
Lemma unsnoc r w : (0 < r)%N -> digits r w -> exists w' d,
  digits r w' /\ (d < r)%N /\ value r w = (value r w' * r + d)%N /\ sum w = (sum w' + d)%N /\
  length w' = (length w - 1)%nat.
Proof.
  intros Hr Hw. destruct w as [|d w _] using rev_ind.
  - exists [], 0%N. simpl. repeat split; trivial.
  - apply Forall_app in Hw as [Hw Hd]. apply Forall_inv in Hd. exists w, d.
    rewrite value_snoc, sum_snoc, app_length. simpl length. repeat split; trivial; lia.
Qed.

Lemma sum_positive r w : (value r w <= value r w * sum w)%N.
Proof.
  induction w as [|d w IH] using rev_ind; [apply N.le_refl|]. rewrite value_snoc, sum_snoc.
  destruct (N.eq_dec d 0); nia.
Qed.

(** Adding with digits, at most one carry goes out of every place. *)
Lemma few_carries r : (2 <= r)%N -> forall l a b c i, (length a <= l)%nat -> (length b <= l)%nat ->
  digits r a -> digits r b -> digits r c -> (i <= 1)%N -> value r c = (value r a + value r b + i)%N ->
  (sum a + sum b + i <= sum c + N.of_nat l * (r - 1))%N.
Proof.
  intros Hr. induction l as [|l IH]; intros a b c i La Lb Ha Hb Hc Hi Hv.
  - destruct a; [|simpl in La; lia]. destruct b; [|simpl in Lb; lia].
    change (value r []) with 0%N in Hv. simpl. pose proof (sum_positive r c). nia.
  - destruct (unsnoc r a) as (a' & x & Ha' & Hx & Ea & -> & La'); [lia|trivial|].
    destruct (unsnoc r b) as (b' & y & Hb' & Hy & Eb & -> & Lb'); [lia|trivial|].
    destruct (unsnoc r c) as (c' & z & Hc' & Hz & Ec & -> & _); [lia|trivial|].
    destruct (N.ltb_spec (x + y + i) r) as [Hlt|Hge].
    + destruct (N.div_mod_unique r (value r c') (value r a' + value r b') z (x + y + i)) as [Ev Ez]; [lia..|].
      assert (H := IH a' b' c' 0%N ltac:(lia) ltac:(lia) Ha' Hb' Hc' ltac:(lia) ltac:(lia)). nia.
    + destruct (N.div_mod_unique r (value r c') (value r a' + value r b' + 1) z (x + y + i - r)) as [Ev Ez];
        [lia..|].
      assert (H := IH a' b' c' 1%N ltac:(lia) ltac:(lia) Ha' Hb' Hc' ltac:(lia) ltac:(lia)). nia.
Qed.

(** a of n digits, b of l digits. *)
Definition adder_bound (n l : nat) : nat := n + 2 * l * l + 13 * l + 12 + 2 * Nat.max n l.

Theorem adder_adds : forall r, (2 <= r)%N -> computes (adder r) 0%N r (-1) 0 0 N.add adder_bound.
Proof.
  intros r Hr a b Ha Hb.
  destruct (adder_steps r Hr a b Ha Hb) as (n & g & x & c & carries & Hn & Hg & Hc & Hv & En & Hs).
  exists n, g, x, c. split; [|auto]. unfold adder_bound. set (l := Nat.max (length a) (length b)).
  assert (carries <= l)%nat.
  { assert (H := few_carries r Hr l a b c 0 ltac:(lia) ltac:(lia) (proj2 Ha) (proj2 Hb) (proj2 Hc) ltac:(lia)
      ltac:(lia)). nia. }
  lia.
Qed.

(** The bound that adder.py states, for operands of at most l digits. *)
Lemma adder_bound_square n l m : (n <= m -> l <= m -> adder_bound n l <= 2 * m * m + 16 * m + 12)%nat.
Proof. intros. unfold adder_bound. nia. Qed.
