(** What goes along a certificate acts like the teacher, on every input of every length. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check checker.Shapes checker.Runs checker.Sound checker.Beside.
From Dfst Require Import network.Rows network.Closure.
Import ListNotations.

Lemma same_vector_eq : forall v w, same_vector v w = true -> v = w.
Proof.
  induction v as [|a v IH]; intros [|b w] E; cbn in E; try discriminate; [reflexivity|].
  split_all. subst. f_equal. auto.
Qed.

Lemma lookup_symbol_in {A} x (l : list (N * A)) a : lookup_symbol x l = Some a -> In (x, a) l.
Proof.
  unfold lookup_symbol. intros E. destruct (List.find _ l) as [[y b]|] eqn:F; [|discriminate].
  apply find_some in F as [I Eq]. apply N.eqb_eq in Eq. cbn in *. congruence.
Qed.

Lemma find_mapped {A B} (f : A -> B) : forall t p v, find p t = Some v -> find p (mapped f t) = Some (f v).
Proof.
  induction t as [|l IHl w r IHr]; intros p v E; [destruct p; discriminate|].
  destruct p; cbn [mapped find] in *; [auto|auto|]. now rewrite E.
Qed.

(** The rows compute the network's steps. *)
Lemma does_rounding w bits weights v x b : rows_of w = Some weights -> does bits weights v x = Some b ->
  exists next, rounding bits w (Some v) x = Some (act next (written b) (going b)) /\
    forall u, following b = Some u -> next = Some u.
Proof.
  unfold does, rows_of. intros R E. destruct (lookup_symbol x weights) as [r|] eqn:L; [|discriminate].
  apply lookup_symbol_in in L. destruct (all_some_from _ _ _ _ R L) as (y & _ & Ry).
  destruct (rows_at (power w) w y) as [r'|] eqn:Ra; [|discriminate]. injection Ry as -> ->.
  eapply fast_rounding; [|exact Ra|exact E].
  unfold power. destruct (fold_left _ _ _) as [|p|p]; try lia. induction p; cbn [zeros]; lia.
Qed.

Section Along.
Variables (t l : agent) (e : evidence) (w : network) (bits : N).

(** The states with which the network can be at a member: those of the numbers that are there. *)
Definition lying (k : known) (p : places) (n : N) (h : option (list Z)) : Prop :=
  exists i v ds, is_at p n i = true /\ get i k = Some (v, ds) /\ h = Some v.

Lemma closed_carried m weights k p : rows_of w = Some weights ->
  let steps := steps_of (symbols t) (blank t) (height e) (lookup (rules t)) (lookup (rules l)) in
  closed bits weights k p (mapped steps m) = true ->
  carried (symbols t) (blank t) (height e) (lookup (rules t)) (lookup (rules l)) m _ (rounding bits w) (lying k p).
Proof.
  intros R steps Cl n mem h x r G (i & v & ds & At & K & ->) I. unfold closed in Cl. split_all.
  (* what is checked of the place *)
  unfold is_at in At. destruct (get n p) as [[n' ids]|] eqn:Gp; [|discriminate]. split_all. subst n'.
  destruct (get i ids) as [j|] eqn:Gi; [|discriminate]. apply N.eqb_eq in At. subst j.
  pose proof (every_find _ _ _ _ Cl Gp) as Place. cbn [place_ok] in Place.
  unfold get in Place at 1. rewrite (find_mapped _ _ _ _ G) in Place.
  pose proof (every_find _ _ _ _ Place Gi) as Steps. cbv beta in Steps. rewrite K in Steps.
  rewrite forallb_forall in Steps. specialize (Steps _ I). cbn [step_ok] in Steps.
  destruct (lookup_symbol x ds) as [d|] eqn:L; [|discriminate]. split_all.
  (* what is checked of the deed *)
  match goal with H : every _ k = true |- _ => pose proof (every_find _ _ _ _ H K) as Deeds end.
  cbn [fst snd] in Deeds. rewrite forallb_forall in Deeds.
  specialize (Deeds _ (lookup_symbol_in _ _ _ L)). cbn [deed_ok] in Deeds.
  destruct (does bits weights v x) as [b|] eqn:D; [|discriminate]. split_all.
  repeat match goal with H : same_move _ _ = true |- _ => apply same_move_eq in H end.
  destruct (does_rounding _ _ _ _ _ _ R D) as (next & Rounding & Next). eexists. split; [exact Rounding|].
  cbn [following written going]. split; [congruence|]. split; [congruence|]. intros Ns n' In'.
  assert (Not : same_move (going r) Stay = false).
  { destruct (same_move (going r) Stay) eqn:Sm; [apply same_move_eq in Sm; congruence|reflexivity]. }
  replace (going d) with (going r) in * by congruence. rewrite Not in *. cbn in Deeds, Steps.
  destruct (following b) as [v'|]; [|discriminate].
  destruct (get (following d) k) as [[u ds']|] eqn:Gu; [|discriminate]. apply same_vector_eq in Deeds. subst u.
  rewrite forallb_forall in Steps. rewrite (Next v' eq_refl). exists (following d), v', ds'. auto.
Qed.

Theorem along_until_stuck m : checked t l e = Some m -> goes_along t l e w bits = true ->
  forall word, matches (parts t) word -> forall n, run (lookup (rules t)) n (begins t word) <> Stuck ->
  alike (run (lookup (rules t)) n (begins t word)) (run (rounding bits w) n (input t (rounded bits (h0 w)) word)).
Proof.
  intros Ch Go word Fits n Ns. destruct (checked_joint _ _ _ _ Ch) as (Wf & _ & Ok & _).
  destruct (checked_start _ _ _ _ Ch word Fits) as (Bd & n0 & c & hs & In0 & G0 & Qt & _ & St).
  unfold goes_along in Go.
  assert (De : decode e = Some m).
  { unfold checked in Ch. destruct (decode e); [|discriminate].
    match type of Ch with (if ?b then _ else _) = _ => destruct b; [|discriminate] end. exact Ch. }
  rewrite De in Go. destruct (rows_of w) as [weights|] eqn:R; [|discriminate].
  destruct (rounded bits (h0 w)) as [first|]; [|discriminate].
  destruct (number bits first _) as [i f0]. destruct (search _ _ _ _ _) as [todo f].
  destruct (get i (known_ f)) as [[u ds]|] eqn:Gu; [|discriminate]. split_all.
  match goal with H : same_vector _ _ = true |- _ => apply same_vector_eq in H; subst u end.
  match goal with H : forallb _ (starts e) = true |- _ => rewrite forallb_forall in H; specialize (H _ In0) end.
  eapply beside_until; [apply well_formed_writes, Wf|exact Ok|eapply closed_carried; eassumption| |exact Ns].
  unfold begins, input. rewrite <- Qt. eapply beside_by; [exact G0|exact St|exact Bd|].
  exists i, first, ds. auto.
Qed.
End Along.
