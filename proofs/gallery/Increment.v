(** The task increment of the gallery adds one. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words files.Certified gallery.Decimal.
From Dfst Require gallery.data.increment.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation len w := (Z.of_nat (length w)).
Local Notation row x w := (alone 10 x 0 w).
Local Notation digits w := (Forall (fun d => d < 10)%N w).

(** State 0 walks to the right, state 1 adds on the way back. *)
Definition machine : policy N := fun q s =>
  match q with
  | 0 => if s <? 10 then Some (act 0 s Right) else if s =? 10 then Some (act 1 10 Left) else None
  | 1 => if s <? 9 then Some (act 0 (s + 1) Stay) else if s =? 9 then Some (act 1 0 Left)
         else if s =? 10 then Some (act 0 1 Stay) else None
  | _ => None
  end%N.

(** The digits u are to be incremented; v is done. *)
Lemma adding : forall u v x0 x, digits u -> digits v -> x = x0 + len u - 1 ->
  ends machine 1 x (row x0 (u ++ v)) (leaves ((value 10 u + 1) * 10 ^ size v + value 10 v)).
Proof.
  induction u as [|d u IH] using rev_ind; intros v x0 x Hu Hv ->.
  - cbn [length app]. eapply stop with (s := 10%N); [reflexivity|apply row_out; lia|apply row_front; lia|].
    intros h Hh. eexists _, (1%N :: v). split; [exact Hh|]. split; [split; [discriminate|constructor; [lia|exact Hv]]|].
    change (1%N :: v) with ([1%N] ++ v). rewrite value_app. reflexivity.
  - apply Forall_app in Hu as [Hu Hd]. apply Forall_inv in Hd. rewrite app_length. cbn [length].
    rewrite <- app_assoc. cbn [app]. destruct (N.ltb_spec d 9) as [Lt|Ge].
    + eapply stop with (s := d) (w := (d + 1)%N) (q' := 0%N).
      * cbn [machine]. now rewrite (proj2 (N.ltb_lt d 9) Lt).
      * eapply row_at; [reflexivity|reflexivity|lia].
      * apply row_set. lia.
      * intros h Hh. eexists _, (u ++ (d + 1)%N :: v). split; [exact Hh|]. split; [split|].
        -- now destruct u.
        -- apply Forall_app. split; [exact Hu|]. constructor; [lia|exact Hv].
        -- replace (u ++ (d + 1)%N :: v) with ((u ++ [d + 1]%N) ++ v) by (rewrite <- app_assoc; reflexivity).
           rewrite value_app, !value_snoc. lia.
    + replace d with 9%N in * by lia.
      eapply go with (s := 9%N); [reflexivity|now left|eapply row_at; [reflexivity|reflexivity|lia]
        |apply row_set; lia|reflexivity|].
      replace ((value 10 (u ++ [9%N]) + 1) * 10 ^ size v + value 10 v)%N
        with ((value 10 u + 1) * 10 ^ size (0%N :: v) + value 10 (0%N :: v))%N
        by (rewrite value_snoc, size_cons, N.pow_succ_r', value_zero; lia).
      apply IH; [exact Hu|constructor; [lia|exact Hv]|cbn [dx]; lia].
Qed.

Theorem increments : turns machine 0%N 0 0 N.succ.
Proof.
  apply ends_turns. intros u [Ne Hu].
  apply (walk machine 0%N) with (u := []) (v := u); [|exact Hu|reflexivity|].
  { intros d Hd. cbn [machine]. now rewrite (proj2 (N.ltb_lt d 10) Hd). }
  cbn [app]. eapply go with (s := 10%N);
    [reflexivity|now left|apply row_out; lia|apply put_id, row_out; lia|reflexivity|].
  rewrite <- (app_nil_r u) at 2.
  replace (N.succ (value 10 u)) with ((value 10 u + 1) * 10 ^ size [] + value 10 [])%N
    by (change (size []) with 0%N; change (value 10 []) with 0%N; rewrite N.pow_0_r; lia).
  apply adding; [exact Hu|constructor|cbn [dx]; lia].
Qed.

(** To the machines in the certificate. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
Lemma never_stuck : shows data.increment.given = Some (true, true).
Proof. vm_cast_no_check (eq_refl (Some (true, true))). Qed.
Definition judged := shows_never_equal _ _ never_stuck.
Lemma same_rules : has_rules_of (teacher data.increment.given) machine 2 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma same_rows : same_row (teacher data.increment.given) (learner data.increment.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition proven := both_turn _ _ _ _ judged same_rules same_rows increments.
