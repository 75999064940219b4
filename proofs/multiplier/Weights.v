(** Numbers as functions from weights to digits: easier than lists where a row of the grid is changed in place. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement.
Import ListNotations.
Local Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** * Numbers by weight: F i is the digit of weight i, that is, times radix^i *)

Section Numbers.
Variable r : N.

Fixpoint power (k : nat) : N := match k with O => 1 | S k => r * power k end%N.
Fixpoint val (F : Z -> N) (k : nat) : N := match k with O => 0 | S k => val F k + F k * power k end%N.

Lemma power_positive k : (2 <= r)%N -> (0 < power k)%N.
Proof. intro. induction k; cbn [power]; [lia | nia]. Qed.

Lemma power_add i j : power (i + j) = (power i * power j)%N.
Proof. induction i; cbn [power Nat.add]; [lia | rewrite IHi; lia]. Qed.

Lemma val_ext F G (k : nat) : (forall i, 0 <= i < k -> F i = G i) -> val F k = val G k.
Proof.
  induction k; intro H; cbn [val]; [reflexivity |].
  rewrite IHk, H by (intros; try apply H; lia). reflexivity.
Qed.

Lemma val_bound F (k : nat) : (forall i, 0 <= i < k -> (F i < r)%N) -> (val F k < power k)%N.
Proof.
  induction k; intro H; cbn [val power]; [lia |].
  assert (val F k < power k)%N by (apply IHk; intros; apply H; lia).
  assert (F k < r)%N by (apply H; lia). nia.
Qed.

(** One digit changed. *)
Definition set (F : Z -> N) (i : Z) (v : N) : Z -> N := fun j => if j =? i then v else F j.

Lemma val_set F (i k : nat) v :
  (i < k)%nat -> (val (set F i v) k + F i * power i = val F k + v * power i)%N.
Proof.
  induction k; intro H; [lia |]. cbn [val].
  destruct (Nat.eq_dec i k) as [-> | E].
  - rewrite (val_ext (set F k v) F k).
    + unfold set. rewrite Z.eqb_refl. lia.
    + intros j Hj. unfold set. destruct (Z.eqb_spec j k); [lia | reflexivity].
  - unfold set at 2. destruct (Z.eqb_spec k i); [lia |]. specialize (IHk ltac:(lia)). lia.
Qed.

(** From lists to weights ... *)
Definition weight (l : list N) : Z -> N := fun i => nth (Z.to_nat (length l - 1 - i)) l r.

Lemma value_from l v : fold_left (fun v d => v * r + d)%N l v = (v * power (length l) + value r l)%N.
Proof.
  unfold value. revert v. induction l as [| d l IH]; intro v; cbn [fold_left length power]; [lia |].
  rewrite IH, (IH (0 * r + d)%N). lia.
Qed.

Lemma value_cons d l : value r (d :: l) = (d * power (length l) + value r l)%N.
Proof. unfold value at 1. cbn [fold_left]. rewrite value_from. lia. Qed.

Lemma value_weight l : value r l = val (weight l) (length l).
Proof.
  induction l as [| d l IH]; [reflexivity |].
  rewrite value_cons, IH. cbn [length val].
  rewrite (val_ext (weight (d :: l)) (weight l)).
  - unfold weight at 3. cbn [length].
    replace (Z.to_nat (S (length l) - 1 - length l)) with O by lia. cbn [nth]. lia.
  - intros i Hi. unfold weight. cbn [length].
    replace (Z.to_nat (S (length l) - 1 - i)) with (S (Z.to_nat (length l - 1 - i))) by lia. reflexivity.
Qed.

(** ... and back. *)
Fixpoint listed (F : Z -> N) (k : nat) : list N := match k with O => [] | S k => F k :: listed F k end.

Lemma length_listed F k : length (listed F k) = k.
Proof. induction k; cbn; congruence. Qed.

Lemma value_listed F k : value r (listed F k) = val F k.
Proof. induction k; [reflexivity |]. cbn [listed val]. rewrite value_cons, IHk, length_listed. lia. Qed.

Lemma digits_listed F (k : nat) : (forall i, 0 <= i < k -> (F i < r)%N) -> Forall (fun d => d < r)%N (listed F k).
Proof. induction k; intro H; constructor; [apply H; lia | apply IHk; intros; apply H; lia]. Qed.

Lemma nth_listed F (k : nat) i : 0 <= i < k -> nth (Z.to_nat (k - 1 - i)) (listed F k) r = F i.
Proof.
  induction k; intro H; [lia |]. cbn [listed].
  destruct (Z.eq_dec i k) as [-> | E].
  - replace (Z.to_nat (S k - 1 - k)) with O by lia. reflexivity.
  - replace (Z.to_nat (S k - 1 - i)) with (S (Z.to_nat (k - 1 - i))) by lia. apply IHk. lia.
Qed.

End Numbers.
