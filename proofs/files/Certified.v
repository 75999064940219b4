(** Certificates whose machines are given as text: what `dfst check --rocq` has Rocq compute, and what follows. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Tree checker.Check checker.Sound files.Json files.Agent files.Sha256.
Import ListNotations.

(** The texts have these hashes, they are machines, and the evidence shows [Some (together, never stuck)] of them. *)
Definition judge (teacher learner : text) (teacher_hash learner_hash : N) (e : evidence) : option (bool * bool) :=
  if (sha256 teacher =? teacher_hash)%N then if (sha256 learner =? learner_hash)%N then
    do t <- read teacher; do l <- read learner; verdict t l e
  else None else None.

(** [of_texts T L h h' P]: the texts T and L, of these hashes, are machines such that P. *)
Definition of_texts (T L : text) (hT hL : N) (P : agent -> agent -> Prop) : Prop :=
  sha256 T = hT /\ sha256 L = hL /\ exists t l, read T = Some t /\ read L = Some l /\ P t l.

Section Certified.
Variables (T L : text) (hT hL : N) (e : evidence).

Lemma judge_verdict v : judge T L hT hL e = Some v -> of_texts T L hT hL (fun t l => verdict t l e = Some v).
Proof.
  unfold judge, of_texts. destruct (N.eqb_spec (sha256 T) hT); [|discriminate].
  destruct (N.eqb_spec (sha256 L) hL); [|discriminate]. destruct (read T) as [t|]; [|discriminate].
  destruct (read L) as [l|]; [|discriminate]. eauto 8.
Qed.

Lemma of_texts_impl (P P' : agent -> agent -> Prop) :
  (forall t l, P t l -> P' t l) -> of_texts T L hT hL P -> of_texts T L hT hL P'.
Proof. intros I (A & B & t & l & C & D & H). unfold of_texts. eauto 8. Qed.

Theorem judged_equal never : judge T L hT hL e = Some (true, never) -> of_texts T L hT hL equal.
Proof.
  intros J. eapply of_texts_impl; [|apply judge_verdict, J]. intros t l V. exact (verdict_equal t l e never V).
Qed.

Theorem judged_until_stuck together never :
  judge T L hT hL e = Some (together, never) -> of_texts T L hT hL equal_until_stuck.
Proof.
  intros J. eapply of_texts_impl; [|apply judge_verdict, J].
  intros t l V. exact (verdict_until_stuck t l e together never V).
Qed.

Theorem judged_never_stuck together : judge T L hT hL e = Some (together, true) ->
  of_texts T L hT hL (fun t _ => forall w, matches (parts t) w -> forall n,
    run (lookup (rules t)) n (begins t w) <> Stuck).
Proof.
  intros J. eapply of_texts_impl; [|apply judge_verdict, J].
  intros t l V. exact (verdict_never_stuck t l e together V).
Qed.
End Certified.

(** * A certificate as one thing *)

Record certificate := Given {
  teacher : text; learner : text; teacher_hash : N; learner_hash : N; shown : evidence }.

Definition shows (c : certificate) : option (bool * bool) :=
  judge (teacher c) (learner c) (teacher_hash c) (learner_hash c) (shown c).
Definition shows_equal (c : certificate) : bool := match shows c with Some (true, _) => true | _ => false end.

Lemma shows_never_equal c never : shows c = Some (true, never) -> shows_equal c = true.
Proof. unfold shows_equal. now intros ->. Qed.

Lemma shows_equal_judge c : shows_equal c = true -> exists never,
  judge (teacher c) (learner c) (teacher_hash c) (learner_hash c) (shown c) = Some (true, never).
Proof.
  unfold shows_equal, shows. destruct (judge _ _ _ _ _) as [[[] never]|]; intros E; try discriminate. now exists never.
Qed.

Theorem equal_machines c : shows_equal c = true -> exists T L, of_texts T L (teacher_hash c) (learner_hash c) equal.
Proof.
  intros E. destruct (shows_equal_judge c E) as [never J]. exists (teacher c), (learner c).
  exact (judged_equal _ _ _ _ _ _ J).
Qed.
