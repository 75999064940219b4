(** The theorem about the multiplier, for every radix, with its exact number of steps. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement multiplier.Machine multiplier.Weights multiplier.Steps.
From Dfst Require Import multiplier.Copy multiplier.Sum multiplier.Rounds.
Import ListNotations.
Local Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** * The theorem *)

(** The problem is the board before the first round. *)
Lemma problem_board r a b : same (problem r a b) (board r (length a) (weight r a) (length b) (weight r b) 0 (none r)).
Proof.
  intros x y. unfold problem, alone, board, rows, gathered, tail, part, none, weight.
  rewrite !app_length. cbn [length].
  destruct (Z.eqb_spec y 0); cbn [andb].
  2: { destruct (y =? -1), (y =? -2); reflexivity. }
  destruct (Z.leb_spec 0 x); cbn [andb].
  2: { destruct (Z.leb_spec 0 (length a - 1 - 0%nat - x)), (Z.ltb_spec (length a - 1 - 0%nat - x) (length a)),
         (Z.leb_spec 0 (length a - x)), (Z.ltb_spec (length a - x) 1),
         (Z.leb_spec 0%nat (length a + length b - x)), (Z.ltb_spec (length a + length b - x) (length b));
         cbn [andb]; lia. }
  destruct (Z_lt_ge_dec x (length a)).
  { rewrite app_nth1 by lia.
    destruct (Z.ltb_spec x (0 + (length a + (1 + length b))%nat)); [| lia].
    destruct (Z.leb_spec 0 (length a - 1 - 0%nat - x)); [| lia].
    destruct (Z.ltb_spec (length a - 1 - 0%nat - x) (length a)); [| lia]. cbn [andb]. f_equal. lia. }
  rewrite app_nth2 by lia.
  destruct (Z.leb_spec 0 (length a - 1 - 0%nat - x)); [lia |]. cbn [andb].
  destruct (Z.eq_dec x (length a)) as [-> | E].
  { replace (Z.to_nat (length a - 0) - length a)%nat with O by lia. rewrite Z.sub_diag.
    destruct (Z.ltb_spec (length a) (0 + (length a + (1 + length b))%nat)); [reflexivity | lia]. }
  destruct (Z.leb_spec 0 (length a - x)); [lia |]. cbn [andb].
  replace (Z.to_nat (x - 0) - length a)%nat with (S (Z.to_nat (x - length a - 1))) by lia. cbn [app nth].
  destruct (Z.ltb_spec x (0 + (length a + (1 + length b))%nat)),
    (Z.leb_spec 0%nat (length a + length b - x)), (Z.ltb_spec (length a + length b - x) (length b));
    cbn [andb]; try lia.
  f_equal. lia.
Qed.

(** The exact number of steps, for a of n and b of l digits. *)
Definition duration (n l : nat) : nat := l * (10 * n + 2 * l + 13) + (8 * n + 2 * l + 5).

(** What is left: the product with n + l digits, in row -2. *)
Theorem multiplies_exactly : forall r m number, (2 <= r)%N -> implements m number r ->
  forall a b, numeral r a -> numeral r b ->
  exists g c,
    halts m (at_ (number pick) 0 0 (problem r a b)) (duration (length a) (length b)) g /\
    same g (alone r (- length b - 1) (-2) c) /\ length c = (length b + length a)%nat /\
    numeral r c /\ value r c = (value r a * value r b)%N.
Proof.
  intros r m number Hr Him a b [Ha Fa] [Hb Fb].
  set (n := length a). set (l := length b).
  assert (Hn : (0 < n)%nat) by (destruct a; [congruence | cbn; lia]).
  assert (Hl : (0 < l)%nat) by (destruct b; [congruence | cbn; lia]).
  assert (Digits : forall w, Forall (fun d => d < r)%N w ->
    forall i, 0 <= i < length w -> (weight r w i < r)%N).
  { intros w Fw i Hi. unfold weight. apply (proj1 (Forall_forall _ w) Fw). apply nth_In. lia. }
  destruct (rounds r m number Hr Him n (weight r a) Hn (Digits a Fa) l (weight r b) (Digits b Fb) l 0 pick (none r)
    (fun g => exists c, same g (alone r (- l - 1) (-2) c) /\ length c = (l + n)%nat /\ numeral r c /\
       value r c = (value r a * value r b)%N)) with (g' := problem r a b) as (g & Hg & c & Hc).
  - reflexivity.
  - auto.
  - repeat split; [intros j Hj; cbn in Hj; lia | cbn; lia].
  - intros Q g (HQ & HO & HV) Hg. unfold size in *. destruct l as [| l'] eqn:El; [lia |]. rewrite <- El in *.
    exists (listed Q (l + n)). split; [| split; [| split]].
    + intros x y. rewrite Hg. unfold rows, alone, none, gathered. rewrite length_listed.
      destruct (Z.eqb_spec y (-2)) as [-> |]; cbn [andb Z.eqb Pos.eqb].
      2: { destruct (y =? 0), (y =? -1); reflexivity. }
      destruct (Z.leb_spec (- l - 1) x); cbn [andb]; [| apply HO; lia].
      destruct (Z.ltb_spec x (- l - 1 + (l + n)%nat)); [| apply HO; lia].
      rewrite <- (nth_listed r Q (l + n) (n - 2 - x)) by lia. f_equal. lia.
    + apply length_listed.
    + split; [| apply digits_listed; exact HQ]. destruct l; [lia |]. discriminate.
    + rewrite value_listed, HV, !value_weight. reflexivity.
  - apply problem_board.
  - exists g, c. exact (conj Hg Hc).
Qed.

Theorem multiplies : forall r m number,
  (2 <= r)%N -> implements m number r -> computes m (number pick) r 0 0 (-2) N.mul duration.
Proof.
  intros r m number Hr Him a b Ha Hb.
  destruct (multiplies_exactly r m number Hr Him a b Ha Hb) as (g & c & H & Hs & _ & Hc).
  exists (duration (length a) (length b)), g, (- length b - 1), c. auto.
Qed.

(** * The machine of every radix, as a table *)

Definition below (k : N) : list N := map N.of_nat (seq 0 (N.to_nat k)).

(** The states in the order of the Python tables. *)
Definition states (r : N) : list named :=
  [pick] ++ map shift (below r) ++ map copy (below r) ++ [over; step_; gap; right_; take] ++ map bring (below r) ++
  flat_map (fun d => map (times d) (below (N.max d 1))) (below r) ++
  [return_; sum 0; sum 1] ++ map plus (below (r + 1)) ++
  [carry 0; carry 1; seek; clear; clear_copy; clear_up; clear_next].

Definition named_eq (s s' : named) : {s = s'} + {s <> s'}.
Proof. decide equality; apply N.eq_dec. Defined.

Fixpoint index (s : named) (l : list named) : nat :=
  match l with [] => O | s' :: l => if named_eq s s' then O else S (index s l) end.
Definition number (r : N) (s : named) : N := N.of_nat (index s (states r)).

(** The tables: a row for each state, an entry for each symbol. After Stay the next state is written as 0. *)
Definition entry (r : N) (s : named) (x : N) : option (action N) :=
  match delta r s x with
  | None => None
  | Some (s', w, Stay) => Some (act 0%N w Stay)
  | Some (s', w, d) => Some (act (number r s') w d)
  end.
Definition tabulate (r : N) : table := map (fun s => map (entry r s) (below (r + 2))) (states r).
Definition multiplier (r : N) : policy N := lookup (tabulate r).

Lemma in_below k x : (x < k)%N -> nth_error (below k) (N.to_nat x) = Some x.
Proof.
  intro H. unfold below. rewrite nth_error_map.
  rewrite (nth_error_nth' _ O) by (rewrite seq_length; lia). rewrite seq_nth by lia. cbn. f_equal. lia.
Qed.

Lemma index_of s l : In s l -> nth_error l (index s l) = Some s.
Proof.
  induction l as [| s' l IH]; intros H; [destruct H |]. cbn.
  destruct (named_eq s s') as [-> | E]; [reflexivity |]. apply IH. destruct H; congruence.
Qed.

Lemma below_in k x : (x < k)%N -> In x (below k).
Proof. intro H. eapply nth_error_In, in_below, H. Qed.

(** Only these states and symbols have rules. *)
Lemma delta_used r s x a : delta r s x = Some a -> In s (states r) /\ (x < r + 2)%N.
Proof.
  intro H. split.
  - assert (Used : match s with
      | shift d | copy d | bring d => d < r | times d c => d < r /\ c < N.max d 1
      | sum c | carry c => c < 2 | plus v => v < r + 1 | _ => True end%N).
    { destruct s; cbn [delta] in H; auto;
        repeat match type of H with
        | context [(?a <? ?b)%N] => destruct (N.ltb_spec a b); cbn [andb] in H
        | context [(?a <=? ?b)%N] => destruct (N.leb_spec a b); cbn [andb] in H
        end; try discriminate; lia. }
    unfold states. rewrite !in_app_iff. destruct s; cbn [In]; try tauto.
    1, 2, 3, 6 : pose proof (fun f : N -> named => in_map f _ _ (below_in _ _ Used)); auto 10.
    + do 5 right. left. apply in_flat_map. exists d. split; [apply below_in; tauto |].
      apply in_map, below_in. tauto.
    + assert (c = 0 \/ c = 1)%N as [-> | ->] by lia; tauto.
    + assert (c = 0 \/ c = 1)%N as [-> | ->] by lia; tauto.
  - destruct (N.lt_ge_cases x (r + 2)) as [| Hx]; [assumption | exfalso].
    assert ((x <? r) = false /\ (x =? r) = false /\ (x =? r + 1) = false)%N as (E1 & E2 & E3).
    { repeat split; [apply N.ltb_ge | apply N.eqb_neq | apply N.eqb_neq]; lia. }
    destruct s; cbn [delta] in H; rewrite ?E1, ?E2, ?E3, ?andb_false_r in H; cbn [andb] in H; try discriminate;
      repeat match type of H with (if ?c then _ else _) = _ => destruct c end; discriminate.
Qed.

Theorem multiplier_implements : forall r, implements (multiplier r) (number r) r.
Proof.
  intros r s x. destruct (delta r s x) as [[[s' w] d] |] eqn:E; [| exact I].
  destruct (delta_used _ _ _ _ E) as [Hs Hx].
  assert (X : multiplier r (number r s) x = entry r s x).
  { unfold multiplier, lookup, tabulate, number.
    apply nth_error_nth. rewrite Nat2N.id.
    erewrite (nth_error_nth (map _ _)) by apply map_nth_error, index_of, Hs.
    apply map_nth_error, in_below, Hx. }
  unfold entry in X. rewrite E in X. destruct d; cbn [follows]; eauto.
Qed.

Theorem multiplier_multiplies : forall r, (2 <= r)%N -> computes (multiplier r) 0%N r 0 0 (-2) N.mul duration.
Proof. intros r Hr. exact (multiplies r (multiplier r) (number r) Hr (multiplier_implements r)). Qed.
