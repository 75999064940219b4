(** The task halve of the gallery halves, rounding down. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words files.Certified gallery.Decimal.
From Dfst Require gallery.data.halve.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation len w := (Z.of_nat (length w)).
Local Notation row x w := (alone 10 x 0 w).
Local Notation digits w := (Forall (fun d => d < 10)%N w).

(** The state is the remainder of the last digit. *)
Definition machine : policy N := fun q s =>
  (if q <? 2 then
     if s <? 10 then Some (act ((10 * q + s) mod 2) ((10 * q + s) / 2) Right)
     else if s =? 10 then Some (act 0 10 Stay) else None
   else None)%N.

(** u is done; the digits v are to be halved, with the remainder q before them. *)
Lemma halving : forall v u q x0 x, digits u -> digits v -> (q < 2)%N -> u ++ v <> [] -> x = x0 + len u ->
  ends machine q x (row x0 (u ++ v)) (leaves (value 10 u * 10 ^ size v + (q * 10 ^ size v + value 10 v) / 2)).
Proof.
  induction v as [|d v IH]; intros u q x0 x Hu Hv Hq Ne ->.
  - rewrite app_nil_r in *. change (value 10 []) with 0%N. change (size []) with 0%N. rewrite N.pow_0_r.
    eapply stop with (s := 10%N) (w := 10%N) (q' := 0%N).
    + unfold machine. now rewrite (proj2 (N.ltb_lt q 2) Hq).
    + apply row_out. lia.
    + apply put_id, row_out. lia.
    + intros h Hh. eexists _, u. split; [exact Hh|]. split; [split; assumption|].
      assert (q = 0 \/ q = 1)%N as [-> | ->] by lia; cbn; lia.
  - inversion Hv as [|? ? Hd Hv']; subst. set (w := (10 * q + d)%N).
    assert (Dm := N.div_mod' w 2). assert (Mo : (w mod 2 < 2)%N) by (apply N.mod_lt; lia).
    assert (Di : (w / 2 < 10)%N) by (apply N.div_lt_upper_bound; unfold w; lia).
    eapply go with (s := d) (q' := (w mod 2)%N) (w := (w / 2)%N) (d := Right).
    + unfold machine. now rewrite (proj2 (N.ltb_lt q 2) Hq), (proj2 (N.ltb_lt d 10) Hd).
    + now right.
    + eapply row_at; [reflexivity|reflexivity|reflexivity].
    + apply row_set. reflexivity.
    + reflexivity.
    + replace (u ++ (w / 2)%N :: v) with ((u ++ [(w / 2)%N]) ++ v) by (rewrite <- app_assoc; reflexivity).
      replace (value 10 u * 10 ^ size (d :: v) + (q * 10 ^ size (d :: v) + value 10 (d :: v)) / 2)%N
        with (value 10 (u ++ [(w / 2)%N]) * 10 ^ size v + (w mod 2 * 10 ^ size v + value 10 v) / 2)%N.
      * apply IH; [apply Forall_app; split; [exact Hu|repeat constructor; exact Di]|exact Hv'|exact Mo|now destruct u|].
        rewrite app_length. cbn [length dx]. lia.
      * change (d :: v) with ([d] ++ v). rewrite (value_app 10 [d]), value_snoc.
        replace (size ([d] ++ v)) with (N.succ (size v)) by (symmetry; apply size_cons).
        rewrite N.pow_succ_r'. change (value 10 [d]) with d.
        replace (q * (10 * 10 ^ size v) + (d * 10 ^ size v + value 10 v))%N
          with ((w / 2 * 10 ^ size v) * 2 + (w mod 2 * 10 ^ size v + value 10 v))%N.
        -- rewrite N.div_add_l by lia. lia.
        -- assert (X : (w * 10 ^ size v = (2 * (w / 2) + w mod 2) * 10 ^ size v)%N) by congruence.
           unfold w in X at 1. lia.
Qed.

Theorem halves : turns machine 0%N 0 0 (fun n => n / 2)%N.
Proof.
  apply ends_turns. intros u [Ne Hu]. change u with ([] ++ u) at 1.
  replace (value 10 u / 2)%N with (value 10 [] * 10 ^ size u + (0 * 10 ^ size u + value 10 u) / 2)%N
    by (change (value 10 []) with 0%N; rewrite !N.mul_0_l, !N.add_0_l; reflexivity).
  apply halving; [constructor|exact Hu|lia|exact Ne|reflexivity].
Qed.

(** To the machines in the certificate. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
Lemma never_stuck : shows data.halve.given = Some (true, true).
Proof. vm_cast_no_check (eq_refl (Some (true, true))). Qed.
Definition judged := shows_never_equal _ _ never_stuck.
Lemma same_rules : has_rules_of (teacher data.halve.given) machine 2 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma same_rows : same_row (teacher data.halve.given) (learner data.halve.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition proven := both_turn _ _ _ _ judged same_rules same_rows halves.
