(** A trained network, given as the bytes of its weights, along a certificate: computed, and what follows. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Check checker.Runs network.Closure network.Closed.
From Dfst Require Import files.Json files.Agent files.Safetensors files.Certified.
Import ListNotations.

(** The network in the file goes along the certificate with its hidden state rounded. *)
Definition trained_along (c : certificate) (file : list N) (bits : N) : bool :=
  match read (teacher c), read (learner c), trained_in file with
  | Some t, Some l, Some w => goes_along t l (shown c) w bits
  | _, _, _ => false
  end.

(** On every input, up to where the teacher gets stuck, the network does what the teacher does. *)
Definition acts_like (t : agent) (bits : N) (w : network) : Prop :=
  forall word, matches (parts t) word -> forall n, run (lookup (rules t)) n (begins t word) <> Stuck ->
  alike (run (lookup (rules t)) n (begins t word)) (run (rounding bits w) n (input t (rounded bits (h0 w)) word)).

Theorem trained_acts c file bits : shows_equal c = true -> trained_along c file bits = true ->
  exists t w, read (teacher c) = Some t /\ trained_in file = Some w /\ acts_like t bits w.
Proof.
  unfold trained_along. intros Eq Along. destruct (shows_equal_judge _ Eq) as [never J].
  apply judge_verdict in J as (_ & _ & t & l & Rt & Rl & V). rewrite Rt, Rl in Along.
  destruct (trained_in file) as [w|]; [|discriminate]. exists t, w. split; [exact Rt|]. split; [reflexivity|].
  unfold verdict in V. destruct (checked t l (shown c)) as [m|] eqn:Ch; [|discriminate].
  exact (along_until_stuck _ _ _ _ _ _ Ch Along).
Qed.

(** So where the teacher halts it does as well, at the same step and with the same grid. *)
Lemma acts_like_halts t bits w : acts_like t bits w -> forall word, matches (parts t) word ->
  forall n g, halts (lookup (rules t)) (begins t word) n g ->
  halts (rounding bits w) (input t (rounded bits (h0 w)) word) n g.
Proof. intros Acts word Fits. apply alike_until_halts, Acts, Fits. Qed.
