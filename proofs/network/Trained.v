(** A trained network, given as the bytes of its weights, along a certificate: computed, and what follows. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Check checker.Runs checker.Sound network.Closure network.Closed.
From Dfst Require Import files.Json files.Agent files.Sha256 files.Safetensors files.Certified.
Import ListNotations.

(** The network in the file goes along the certificate with its hidden state rounded. *)
Definition trained_along (c : certificate) (file : list N) (bits : N) : bool :=
  match read (teacher c), read (learner c), trained_in file with
  | Some t, Some l, Some w => goes_along t l (shown c) w bits
  | _, _, _ => false
  end.

(** On every input, after any number of steps, the network has done what the teacher has. *)
Definition acts_like (t : agent) (bits : N) (w : network) : Prop :=
  forall word, matches (parts t) word -> forall n,
  alike (run (lookup (rules t)) n (begins t word)) (run (rounding bits w) n (input t (rounded bits (h0 w)) word)).

Section Along.
Variables (c : certificate) (file : list N) (bits : N).
Hypothesis never_stuck : shows c = Some (true, true).
Hypothesis along : trained_along c file bits = true.

Theorem trained_acts : exists t w, read (teacher c) = Some t /\ trained_in file = Some w /\ acts_like t bits w.
Proof.
  pose proof along as Along. unfold trained_along in Along.
  destruct (judge_verdict _ _ _ _ _ _ never_stuck) as (_ & _ & t & l & Rt & Rl & V). rewrite Rt, Rl in Along.
  destruct (trained_in file) as [w|]; [|discriminate]. exists t, w. split; [exact Rt|]. split; [reflexivity|].
  pose proof (verdict_never_stuck _ _ _ _ V) as Never.
  unfold verdict in V. destruct (checked t l (shown c)) as [m|] eqn:Ch; [|discriminate].
  intros word Fits n. exact (along_until_stuck _ _ _ _ _ _ Ch Along word Fits n (Never word Fits n)).
Qed.

(** The same with all that Theorems.v says: by the hashes, and with what else is known of the network. *)
Theorem trained_proven (P : network -> Prop) hash : sha256 file = hash ->
  (forall w, trained_in file = Some w -> P w) ->
  exists T W t w, sha256 T = teacher_hash c /\ sha256 W = hash /\ read T = Some t /\ trained_in W = Some w /\
    acts_like t bits w /\ P w.
Proof.
  intros Hash Known. destruct trained_acts as (t & w & Rt & Rw & Acts).
  destruct (judge_verdict _ _ _ _ _ _ never_stuck) as (Ht & _ & _).
  exists (teacher c), file, t, w. exact (conj Ht (conj Hash (conj Rt (conj Rw (conj Acts (Known w Rw)))))).
Qed.
End Along.

(** Where the teacher halts the network does as well, at the same step and with the same grid. *)
Lemma acts_like_halts t bits w : acts_like t bits w -> forall word, matches (parts t) word -> forall n g,
  halts (lookup (rules t)) (begins t word) n g <-> halts (rounding bits w) (input t (rounded bits (h0 w)) word) n g.
Proof. intros Acts word Fits. apply alike_halts, Acts, Fits. Qed.
