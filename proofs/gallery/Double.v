(** The task double of the gallery doubles. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words files.Certified gallery.Decimal.
From Dfst Require gallery.data.double.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation len w := (Z.of_nat (length w)).
Local Notation row x w := (alone 10 x 0 w).
Local Notation digits w := (Forall (fun d => d < 10)%N w).

(** State 0 walks to the right; on the way back, states 1 and 2 double without and with a carry. *)
Definition machine : policy N := fun q s =>
  (if q =? 0 then if s <? 10 then Some (act 0 s Right) else if s =? 10 then Some (act 1 10 Left) else None
   else if q <=? 2 then
     let v := 2 * s + (q - 1) in
     if s <? 10 then Some (act (1 + v / 10) (v mod 10) Left)
     else if s =? 10 then Some (act 0 (if q =? 1 then 10 else 1) Stay) else None
   else None)%N.

(** The digits u are to be doubled, with the carry c; v is done. *)
Lemma doubling : forall u v c x0 x, digits u -> digits v -> (c <= 1)%N -> u ++ v <> [] -> x = x0 + len u - 1 ->
  ends machine (1 + c) x (row x0 (u ++ v)) (leaves ((2 * value 10 u + c) * 10 ^ size v + value 10 v)).
Proof.
  induction u as [|d u IH] using rev_ind; intros v c x0 x Hu Hv Hc Ne ->.
  - cbn [length app] in *. change (value 10 []) with 0%N. assert (c = 0 \/ c = 1)%N as [-> | ->] by lia.
    + eapply stop with (s := 10%N); [reflexivity|apply row_out; lia|apply put_id, row_out; lia|].
      intros h Hh. eexists _, v. split; [exact Hh|]. split; [split; assumption|]. lia.
    + eapply stop with (s := 10%N); [reflexivity|apply row_out; lia|apply row_front; lia|].
      intros h Hh. eexists _, (1%N :: v). split; [exact Hh|].
      split; [split; [discriminate|constructor; [lia|exact Hv]]|].
      change (1%N :: v) with ([1%N] ++ v). rewrite value_app. reflexivity.
  - apply Forall_app in Hu as [Hu Hd]. apply Forall_inv in Hd. rewrite app_length. cbn [length].
    rewrite <- app_assoc in *. cbn [app] in *. set (w := (2 * d + c)%N).
    assert (Dm := N.div_mod' w 10). assert (Mo : (w mod 10 < 10)%N) by (apply N.mod_lt; lia).
    assert (Di : (w / 10 <= 1)%N) by (apply N.lt_succ_r, N.div_lt_upper_bound; unfold w; lia).
    eapply go with (s := d) (q' := (1 + w / 10)%N) (w := (w mod 10)%N) (d := Left).
    + unfold machine.
      rewrite (proj2 (N.eqb_neq (1 + c) 0)), (proj2 (N.leb_le (1 + c) 2)), (proj2 (N.ltb_lt d 10)) by lia.
      replace (1 + c - 1)%N with c by lia. reflexivity.
    + now left.
    + eapply row_at; [reflexivity|reflexivity|lia].
    + apply row_set. lia.
    + reflexivity.
    + replace ((2 * value 10 (u ++ [d]) + c) * 10 ^ size v + value 10 v)%N
        with ((2 * value 10 u + w / 10) * 10 ^ size ((w mod 10)%N :: v) + value 10 ((w mod 10)%N :: v))%N.
      * apply IH; [exact Hu|constructor; assumption|exact Di|now destruct u|cbn [dx]; lia].
      * change ((w mod 10)%N :: v) with ([(w mod 10)%N] ++ v). rewrite (value_app 10 [_]), value_snoc.
        replace (size ([(w mod 10)%N] ++ v)) with (N.succ (size v)) by (symmetry; apply size_cons).
        rewrite N.pow_succ_r'. change (value 10 [(w mod 10)%N]) with (w mod 10)%N.
        assert (X : (w * 10 ^ size v = (10 * (w / 10) + w mod 10) * 10 ^ size v)%N) by congruence.
        unfold w in X at 1. lia.
Qed.

Theorem doubles : turns machine 0%N 0 0 N.double.
Proof.
  apply ends_turns. intros u [Ne Hu].
  apply (walk machine 0%N) with (u := []) (v := u); [|exact Hu|reflexivity|].
  { intros d Hd. unfold machine. cbn [N.eqb]. now rewrite (proj2 (N.ltb_lt d 10) Hd). }
  cbn [app]. eapply go with (s := 10%N) (q' := 1%N) (w := 10%N) (d := Left);
    [reflexivity|now left|apply row_out; lia|apply put_id, row_out; lia|reflexivity|].
  pose proof (doubling u [] 0 0 (0 + len u + dx Left) Hu (Forall_nil _)) as H.
  rewrite app_nil_r in H. change (size []) with 0%N in H. change (value 10 []) with 0%N in H. rewrite N.pow_0_r in H.
  replace ((2 * value 10 u + 0) * 1 + 0)%N with (N.double (value 10 u)) in H by (rewrite N.double_spec; lia).
  apply H; [lia|exact Ne|cbn [dx]; lia].
Qed.

(** To the machines in the certificate. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
Lemma never_stuck : shows data.double.given = Some (true, true).
Proof. vm_cast_no_check (eq_refl (Some (true, true))). Qed.
Definition judged := shows_never_equal _ _ never_stuck.
Lemma same_rules : has_rules_of (teacher data.double.given) machine 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma same_rows : same_row (teacher data.double.given) (learner data.double.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition proven := both_turn _ _ _ _ judged same_rules same_rows doubles.
