(** The whole chain for a shipped model: from a machine that is proven to compute, over the teacher in the certificate
    and the learner extracted from trained weights, to the network in one_hot.safetensors. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check checker.Shapes checker.Sound words.Tables network.OneHot network.File.
From Dfst Require Import network.Trained.
From Dfst Require Import files.Json files.Agent files.Sha256 files.Safetensors files.Certified.
Import ListNotations.
Local Open Scope lazy_bool_scope.

(** The text is a machine in the world of arithmetic of the radix (digit+ sign digit+), and it computes. *)
Definition machine_computes (s : text) (radix : N) (op : N -> N -> N) (steps : nat -> nat -> nat) : Prop :=
  exists a, read s = Some a /\ symbols a = (radix + 2)%N /\ blank a = radix /\ parts a = arithmetic radix /\
    computes (lookup (rules a)) (start a) radix (head_x a) (head_y a) (answer_row a) op steps.

(** The bytes are a network, and started like the machine of the text it computes. *)
Definition network_computes (file : list N) (s : text) (radix : N) (op : N -> N -> N) (steps : nat -> nat -> nat) :
    Prop :=
  exists a w, read s = Some a /\ network_in file = Some w /\
    computes (acting w) (h0 w) radix (head_x a) (head_y a) (answer_row a) op steps.

(** * What is computed *)

(** The text has the world and the rules of the machine m in so many states. *)
Definition has_rules_of (s : text) (m : policy N) (states radix : N) (x y row : Z) : bool :=
  match read s with
  | None => false
  | Some a =>
      (symbols a =? radix + 2)%N &&& (blank a =? radix)%N &&& same_parts (parts a) (arithmetic radix) &&&
      (head_x a =? x)%Z &&& (head_y a =? y)%Z &&& (answer_row a =? row)%Z &&& (start a =? 0)%N &&& (0 <? states)%N &&&
      imitates states (radix + 2) m (lookup (rules a))
  end.

(** The answer is in the same row of both worlds (the certificate does not depend on it). *)
Definition same_row (s t : text) : bool :=
  match read s, read t with Some a, Some b => (answer_row a =? answer_row b)%Z | _, _ => false end.

(** The file with this header and the weights of the machine in the text has this hash, and reading it gives them. *)
Definition one_hot_file (header : list N) (s : text) (d : nat) : list N :=
  match read s with Some a => weights_file header a d | None => [] end.
Definition has_weights_of (file : list N) (s : text) (d : nat) : bool :=
  match read s with
  | None => false
  | Some a => well_formed a &&& Nat.leb (length (rules a)) d &&& holds_one_hot file a d
  end.

(** * What follows *)

Lemma teacher_computes s m states radix x y row op steps :
  has_rules_of s m states radix x y row = true -> computes m 0%N radix x y row op steps ->
  machine_computes s radix op steps.
Proof.
  unfold has_rules_of, machine_computes. intros Has Co. destruct (read s) as [a|]; [|discriminate]. exists a.
  split_all. match goal with H : same_parts _ _ = true |- _ => apply same_parts_eq in H end.
  repeat (split; [solve [auto]|]). subst. replace (start a) with 0%N by congruence.
  eapply imitates_computes; eassumption.
Qed.

Lemma learner_computes T L hT hL e never radix op steps :
  judge T L hT hL e = Some (true, never) -> same_row T L = true ->
  machine_computes T radix op steps -> machine_computes L radix op steps.
Proof.
  intros J Row (t & Rt & Sy & Bl & Pa & Co). apply judge_verdict in J as (_ & _ & t' & l & Rt' & Rl & V).
  rewrite Rt in Rt'. injection Rt' as <-. exists l. split; [exact Rl|].
  unfold same_row in Row. rewrite Rt, Rl in Row. apply Z.eqb_eq in Row.
  pose proof V as W. unfold verdict in W. destruct (checked t l e) as [m|] eqn:Ch; [|discriminate].
  destruct (checked_joint _ _ _ _ Ch) as (_ & Sw & _). unfold same_world in Sw. split_all.
  match goal with H : same_parts _ _ = true |- _ => apply same_parts_eq in H end.
  repeat (split; [congruence|]). rewrite <- Row.
  eapply Sound.learner_computes; [exact (verdict_equal _ _ _ _ V)|..]; try eassumption; congruence.
Qed.

Lemma weights_compute file s d radix op steps :
  has_weights_of file s d = true -> machine_computes s radix op steps -> network_computes file s radix op steps.
Proof.
  unfold has_weights_of. intros Has (a & R & _ & _ & _ & Co). rewrite R in Has. split_all.
  match goal with H : Nat.leb _ _ = true |- _ => apply Nat.leb_le in H; rename H into Room end.
  destruct (file_computes file a d _ _ _ _ _ _ Has E0 Room Co) as (w & Ew & Cw). exists a, w. auto.
Qed.

(** All of it at once: teacher, learner and network, by their hashes. Theorems.v states this for each model. *)
Theorem whole_chain c header d hash m states radix x y row op steps :
  let weights := one_hot_file header (learner c) d in
  shows_equal c = true -> has_rules_of (teacher c) m states radix x y row = true ->
  same_row (teacher c) (learner c) = true -> sha256 weights = hash -> has_weights_of weights (learner c) d = true ->
  computes m 0%N radix x y row op steps ->
  exists T L W, of_texts T L (teacher_hash c) (learner_hash c) equal /\ sha256 W = hash /\
    machine_computes T radix op steps /\ machine_computes L radix op steps /\ network_computes W L radix op steps.
Proof.
  intros weights Eq Rules Row Hash Has Co. destruct (shows_equal_judge _ Eq) as [never J].
  pose proof (teacher_computes _ _ _ _ _ _ _ _ _ Rules Co) as Te.
  pose proof (learner_computes _ _ _ _ _ _ _ _ _ J Row Te) as Le.
  exists (teacher c), (learner c), weights. split; [exact (judged_equal _ _ _ _ _ _ J)|].
  split; [exact Hash|]. split; [exact Te|]. split; [exact Le|]. exact (weights_compute _ _ _ _ _ _ Has Le).
Qed.

(** * The trained network itself *)

(** Its hidden state rounded, it halts as the teacher does, and so computes what the teacher computes. *)
Theorem trained_computes c file bits m states radix x y row op steps :
  shows c = Some (true, true) -> has_rules_of (teacher c) m states radix x y row = true ->
  trained_along c file bits = true ->
  computes m 0%N radix x y row op steps ->
  forall w, trained_in file = Some w -> computes (rounding bits w) (rounded bits (h0 w)) radix x y row op steps.
Proof.
  intros Never Rules Along Co w' Rw'. destruct (trained_acts _ _ _ Never Along) as (t & w & Rt & Rw & Acts).
  rewrite Rw in Rw'. injection Rw' as <-. intros a b Ha Hb.
  destruct (teacher_computes _ _ _ _ _ _ _ _ _ Rules Co) as (t' & Rt' & _ & Bl & Pa & Co'). rewrite Rt in Rt'.
  injection Rt' as <-. unfold has_rules_of in Rules. rewrite Rt in Rules. split_all. subst x y row.
  destruct (Co' a b Ha Hb) as (n & g & x & d & Le & H & Rest). exists n, g, x, d. split; [exact Le|].
  split; [|exact Rest]. pose proof (acts_like_halts _ _ _ Acts (a ++ [radix + 1]%N ++ b)) as Like.
  rewrite Pa in Like. specialize (Like (problem_matches radix a b Ha Hb) n g). unfold begins, input in Like.
  rewrite Bl in Like. apply Like, H.
Qed.
