(** Grids that look the same, words in row 0, and the value of digits: what the proofs about teachers share. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement.
Import ListNotations.
Local Open Scope Z_scope.

(** * Grids, up to [same]: no functional extensionality is needed *)

Lemma same_put g h x y s : same g h -> same (put g x y s) (put h x y s).
Proof. intros E u v. unfold put. now rewrite E. Qed.

Lemma same_trans f g h : same f g -> same g h -> same f h.
Proof. intros E1 E2 u v. now rewrite E1. Qed.

Lemma put_id G x y s : G x y = s -> same (put G x y s) G.
Proof.
  intros E u v. unfold put. destruct (Z.eqb_spec u x), (Z.eqb_spec v y); simpl; subst; reflexivity.
Qed.

Lemma put_swap G x y s x' y' s' : y <> y' ->
  same (put (put G x y s) x' y' s') (put (put G x' y' s') x y s).
Proof.
  intros Hy u v. unfold put.
  destruct (Z.eqb_spec u x), (Z.eqb_spec v y), (Z.eqb_spec u x'), (Z.eqb_spec v y'); simpl; subst; congruence.
Qed.

Lemma put_put G x y s s' : same (put (put G x y s) x y s') (put G x y s').
Proof. intros u v. unfold put. destruct ((u =? x) && (v =? y)); reflexivity. Qed.

Lemma put_here G x y s : put G x y s x y = s.
Proof. unfold put. now rewrite !Z.eqb_refl. Qed.

Lemma put_away G x y s u v : u <> x \/ v <> y -> put G x y s u v = G u v.
Proof. intros H. unfold put. destruct (Z.eqb_spec u x), (Z.eqb_spec v y); simpl; trivial; lia. Qed.

(** * A word in row 0 *)

Local Notation len w := (Z.of_nat (length w)).
Local Notation row r x w := (alone r x 0 w).

(** Equations between words. *)
Ltac words := repeat (first [rewrite <- app_assoc | progress simpl app]); try reflexivity.

Lemma row_at b x0 w u s v x y : w = u ++ s :: v -> y = 0 -> x = x0 + len u -> row b x0 w x y = s.
Proof.
  intros -> -> ->. unfold alone. rewrite app_length; cbn [length].
  rewrite Z.eqb_refl, (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)) by lia. cbn [andb].
  replace (Z.to_nat (x0 + len u - x0)) with (length u + 0)%nat by lia.
  rewrite app_nth2_plus. reflexivity.
Qed.

Lemma row_out b x0 w x y : y <> 0 \/ x < x0 \/ x0 + len w <= x -> row b x0 w x y = b.
Proof.
  intros H. unfold alone.
  destruct (Z.eqb_spec y 0), (Z.leb_spec x0 x), (Z.ltb_spec x (x0 + len w)); cbn [andb]; trivial; lia.
Qed.

(** Every cell of the word is at some place of it. *)
Lemma row_split (w : list N) x0 x : x0 <= x < x0 + len w -> exists u s v, w = u ++ s :: v /\ x = x0 + len u.
Proof.
  intros Hx. destruct (nth_split w 0%N (n := Z.to_nat (x - x0))) as (u & v & E & Hu); [lia|].
  exists u, (nth (Z.to_nat (x - x0)) w 0%N), v. split; [exact E|]. lia.
Qed.

(** Writing: inside the word, in front of it; erasing its last symbol. *)
Lemma row_set b x0 u s s' v x : x = x0 + len u ->
  same (put (row b x0 (u ++ s :: v)) x 0 s') (row b x0 (u ++ s' :: v)).
Proof.
  intros -> x' y'. unfold put, alone. rewrite !app_length; cbn [length].
  destruct (Z.eqb_spec x' (x0 + len u)), (Z.eqb_spec y' 0); cbn [andb]; trivial.
  - rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)) by lia. cbn [andb].
    replace (Z.to_nat (x' - x0)) with (length u + 0)%nat by lia. now rewrite app_nth2_plus.
  - destruct (Z.leb_spec x0 x'), (Z.ltb_spec x' (x0 + Z.of_nat (length u + S (length v)))); cbn [andb];
      trivial.
    destruct (Z.lt_ge_cases (x' - x0) (len u)).
    + now rewrite !app_nth1 by lia.
    + rewrite !app_nth2 by lia. destruct (Z.to_nat (x' - x0) - length u)%nat eqn:E'; [lia|reflexivity].
Qed.

Lemma row_front b x0 w s x : x = x0 - 1 -> same (put (row b x0 w) x 0 s) (row b x (s :: w)).
Proof.
  intros -> x' y'. unfold put, alone. cbn [length].
  destruct (Z.eqb_spec x' (x0 - 1)), (Z.eqb_spec y' 0); cbn [andb]; trivial.
  - rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)) by lia. cbn [andb].
    now replace (Z.to_nat (x' - (x0 - 1))) with 0%nat by lia.
  - destruct (Z.leb_spec x0 x'), (Z.leb_spec (x0 - 1) x'), (Z.ltb_spec x' (x0 + len w)),
      (Z.ltb_spec x' (x0 - 1 + Z.of_nat (S (length w)))); cbn [andb]; trivial; try lia.
    replace (Z.to_nat (x' - (x0 - 1))) with (S (Z.to_nat (x' - x0))) by lia. reflexivity.
Qed.

Lemma row_drop b x0 w s x : x = x0 + len w -> same (put (row b x0 (w ++ [s])) x 0 b) (row b x0 w).
Proof.
  intros -> x' y'. unfold put, alone. rewrite app_length; cbn [length].
  destruct (Z.eqb_spec x' (x0 + len w)), (Z.eqb_spec y' 0); cbn [andb]; trivial.
  - destruct (Z.leb_spec x0 x'), (Z.ltb_spec x' (x0 + len w)); cbn [andb]; trivial; lia.
  - destruct (Z.leb_spec x0 x'), (Z.ltb_spec x' (x0 + len w)),
      (Z.ltb_spec x' (x0 + Z.of_nat (length w + 1))); cbn [andb]; trivial; try lia.
    now rewrite app_nth1 by lia.
Qed.

(** * Numbers *)

Local Notation digits r w := (Forall (fun d => d < r)%N w).
Definition size (w : list N) : N := N.of_nat (length w).

Lemma value_snoc r w d : value r (w ++ [d]) = (value r w * r + d)%N.
Proof. unfold value. rewrite fold_left_app. reflexivity. Qed.

Lemma size_snoc w d : size (w ++ [d]) = N.succ (size w).
Proof. unfold size. rewrite app_length. simpl length. lia. Qed.

Lemma size_cons w d : size (d :: w) = N.succ (size w).
Proof. unfold size. simpl length. lia. Qed.

Lemma value_app r u v : value r (u ++ v) = (value r u * r ^ size v + value r v)%N.
Proof.
  induction v as [|d v IH] using rev_ind.
  - rewrite app_nil_r. change (size []) with 0%N. change (value r []) with 0%N. rewrite N.pow_0_r. lia.
  - rewrite app_assoc, !value_snoc, size_snoc, N.pow_succ_r', IH. lia.
Qed.

Lemma value_zero r w : value r (0 :: w)%N = value r w.
Proof. reflexivity. Qed.

Lemma value_bound r w : digits r w -> (value r w < r ^ size w)%N.
Proof.
  induction w as [|d w IH] using rev_ind; intros H.
  - apply N.lt_0_1.
  - apply Forall_app in H as [Hw Hd]. inversion Hd; subst. specialize (IH Hw).
    rewrite value_snoc, size_snoc, N.pow_succ_r'. nia.
Qed.

(** The sum of the digits: every carry takes r - 1 away from it. *)
Definition sum (w : list N) : N := fold_right N.add 0%N w.

Lemma sum_app u v : sum (u ++ v) = (sum u + sum v)%N.
Proof. induction u; simpl; [reflexivity|]. rewrite IHu. lia. Qed.

Lemma sum_snoc w d : sum (w ++ [d]) = (sum w + d)%N.
Proof. rewrite sum_app. simpl. lia. Qed.
