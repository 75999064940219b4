(** The adder adds: the rounds by induction over the digits of b, and the exact number of steps. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words adder.Machine adder.Phases.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation len w := (Z.of_nat (length w)).
Local Notation row r x w := (alone r x 0 w).
Local Notation digits r w := (Forall (fun d => d < r)%N w).

(** * The rounds, by induction over the digits of b, from its end *)

(** What is left: a numeral of value t, after so many carries and so many steps. *)
Definition leaves (r t : N) (steps : nat) (s : N) (k : nat) (g : grid) : Prop :=
  exists x c carries, same g (row r x c) /\ numeral r c /\ value r c = t /\
    k = (steps + 2 * carries)%nat /\ (sum c + N.of_nat carries * (r - 1) = s)%N.

Lemma rounds r : (2 <= r)%N -> forall b u d v x0 p,
  digits r u -> (d < r)%N -> digits r v -> digits r b -> p = x0 + len u -> (value r (u ++ [d]) <= r ^ size u)%N ->
  ends r Mark p 1 (row r x0 (u ++ d :: v ++ (r + 1)%N :: b))
    (leaves r (value r (u ++ d :: v) + value r b * r ^ size v)
       (length b * (2 * (length v + length b) + 11) + 2 * (length v + length b) + 9) (sum (u ++ d :: v) + sum b)).
Proof.
  intros Hr. induction b as [|k b IH] using rev_ind; intros u d v x0 p Hu Hd Hv Hb Hp Hle.
  - apply marking; trivial. intros x0' u' Hu' Hp'.
    change (u' ++ d :: v ++ [r + 1]%N) with (u' ++ (d :: v) ++ [r + 1]%N).
    apply righting with (b := []); [now constructor|exact Hp'|constructor|].
    replace (p + len (d :: v) + len []) with (p + len v + 1) by (simpl length; lia).
    change (u' ++ (d :: v) ++ [r + 1]%N) with (u' ++ [d] ++ v ++ [r + 1]%N). rewrite app_assoc.
    apply finishing; [rewrite app_length; simpl length; lia|]. intros g Hg.
    exists x0', (u' ++ d :: v), 0%nat. rewrite <- app_assoc in Hg. split; [exact Hg|]. split; [split|].
    + now destruct u'.
    + destruct Hu' as [[-> _]|[-> _]]; [apply Forall_app; split; trivial; now constructor|].
      constructor; [lia|]. now constructor.
    + change (value r []) with 0%N. change (sum []) with 0%N.
      destruct Hu' as [[-> _]|[-> ->]]; simpl app; rewrite ?value_zero; simpl length; simpl sum; repeat split; lia.
  - apply Forall_app in Hb as [Hb Hk]. pose proof (Forall_inv Hk) as Hk'; simpl in Hk'; clear Hk.
    apply marking; trivial. intros x0' u' Hu' Hp'.
    assert (Hdu' : digits r u') by (destruct Hu' as [[-> _]|[-> _]]; trivial; repeat constructor; lia).
    assert (Hne : u' <> []) by (destruct Hu' as [[-> H]|[-> _]]; trivial; discriminate).
    assert (Hval : forall t, value r (u' ++ t) = value r (u ++ t))
      by (destruct Hu' as [[-> _]|[-> ->]]; intros; trivial; simpl; now rewrite value_zero).
    assert (Hsum : forall t, sum (u' ++ t) = sum (u ++ t))
      by (destruct Hu' as [[-> _]|[-> ->]]; intros; trivial).
    assert (Hle' : (value r (u' ++ [d]) <= r ^ size u')%N).
    { destruct Hu' as [[-> _]|[-> ->]]; trivial. eapply N.le_trans; [rewrite Hval; exact Hle|].
      apply N.pow_le_mono_r; [lia|]. unfold size; simpl length; lia. }
    assert (Hpow : (r <= r ^ size u')%N).
    { destruct u' as [|e u1]; [easy|]. rewrite size_cons, N.pow_succ_r'.
      pose proof (N.pow_nonzero r (size u1)). nia. }
    change (u' ++ d :: v ++ (r + 1)%N :: b ++ [k]) with (u' ++ (d :: v) ++ (r + 1)%N :: b ++ [k]).
    apply righting; [now constructor|exact Hp'|apply Forall_app; split; trivial; now constructor|].
    replace (p + len (d :: v) + len (b ++ [k])) with (p + len v + len b + 2)
      by (rewrite app_length; simpl length; lia).
    change (u' ++ (d :: v) ++ (r + 1)%N :: b ++ [k]) with (u' ++ [d] ++ v ++ (r + 1)%N :: b ++ [k]).
    rewrite app_assoc.
    apply taking; trivial.
    + rewrite app_length; simpl length; lia.
    + apply Forall_app; split; trivial; now constructor.
    + now destruct u'.
    + rewrite size_snoc, N.pow_succ_r'. nia.
    + intros h' c Hl Hh' Hv' Hs'.
      destruct h' as [|y u2 _] using rev_ind; [rewrite app_length in Hl; simpl in Hl; lia|].
      apply Forall_app in Hh' as [Hu2 Hy]. inversion Hy as [|? ? Hy' _]; subst; clear Hy.
      rewrite !app_length in Hl; simpl length in Hl.
      destruct u2 as [|e u3 _] using rev_ind; [destruct u'; [easy|simpl in Hl; lia]|].
      apply Forall_app in Hu2 as [Hu3 He]. inversion He as [|? ? He' _]; subst; clear He.
      rewrite app_length in Hl; simpl length in Hl.
      assert (Hsize : size u' = N.succ (size u3)) by (unfold size; lia).
      replace (((u3 ++ [e]) ++ [y]) ++ v ++ (r + 1)%N :: b) with (u3 ++ e :: (y :: v) ++ (r + 1)%N :: b) by words.
      eapply ends_weaken.
      * apply IH; trivial; [now constructor|lia|].
        rewrite Hsize, N.pow_succ_r' in Hle'. rewrite value_snoc in Hv'. nia.
      * cbv beta. intros j g (x & w & carries & Hg & Hw & Ht & Hj & Hsw).
        exists x, w, (c + carries)%nat. split; [exact Hg|]. split; [exact Hw|]. split; [|split].
        -- rewrite Ht. rewrite value_snoc, size_cons, N.pow_succ_r'.
           replace (u3 ++ e :: y :: v) with (((u3 ++ [e]) ++ [y]) ++ v) by words.
           replace (u ++ d :: v) with ((u ++ [d]) ++ v) by words.
           rewrite (value_app r (_ ++ [y]) v), (value_app r (u ++ [d]) v), Hv', Hval. lia.
        -- rewrite Hj, app_length. simpl length. lia.
        -- replace (u3 ++ e :: y :: v) with (((u3 ++ [e]) ++ [y]) ++ v) in Hsw by words.
           replace (u ++ d :: v) with ((u ++ [d]) ++ v) by words.
           rewrite (sum_app (_ ++ [y]) v) in Hsw. rewrite (sum_app (u ++ [d]) v), (sum_snoc b k), <- Hsum. nia.
Qed.

(** The whole run, with the exact number of steps: two more for every carry. *)
Lemma adder_runs r a b : (2 <= r)%N -> numeral r a -> numeral r b ->
  ends r Enter (-1) 0 (problem r a b)
    (leaves r (value r a + value r b) (length a + 2 * length b * length b + 13 * length b + 12) (sum a + sum b)).
Proof.
  intros Hr [Hne Ha] [_ Hb]. destruct a as [|d a _] using rev_ind; [easy|].
  unfold problem. replace ((a ++ [d]) ++ [r + 1]%N ++ b) with (a ++ d :: (r + 1)%N :: b) by words.
  apply entering; trivial. pose proof (value_bound r (a ++ [d]) Ha) as Hv.
  apply Forall_app in Ha as [Ha Hd]. apply Forall_inv in Hd.
  eapply ends_weaken.
  - apply (rounds r Hr b (0%N :: a) d []); trivial.
    + constructor; [lia|assumption].
    + simpl length. lia.
    + simpl app. rewrite value_zero, size_cons, <- (size_snoc a d). lia.
  - intros k g (x & c & carries & Hg & Hc & Ht & Hk & Hs).
    exists x, c, carries. simpl app in *. rewrite value_zero in Ht. rewrite Ht, Hk, app_length. simpl length.
    change (size []) with 0%N. rewrite N.pow_0_r. simpl sum in Hs. repeat split; try lia; trivial; apply Hc.
Qed.

(** The exact number of steps: two more for every carry; every carry takes r - 1 from the sum of all digits. *)
Theorem adder_steps : forall r, (2 <= r)%N -> forall a b, numeral r a -> numeral r b ->
  exists n g x c carries,
    halts (adder r) (at_ 0%N (-1) 0 (problem r a b)) n g /\
    same g (alone r x 0 c) /\ numeral r c /\ value r c = (value r a + value r b)%N /\
    n = (length a + 2 * length b * length b + 13 * length b + 12 + 2 * carries)%nat /\
    (sum c + N.of_nat carries * (r - 1) = sum a + sum b)%N.
Proof.
  intros r Hr a b Ha Hb.
  destruct (adder_runs r a b Hr Ha Hb (problem r a b)) as (n & g & Hn & x & c & carries & H).
  { intros x y. reflexivity. }
  exists n, g, x, c, carries. split; [exact Hn|exact H].
Qed.
