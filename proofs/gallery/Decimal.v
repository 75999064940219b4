(** Tasks of the gallery that turn one decimal number into another, in place: how a run along row 0 is reasoned about,
    and from there to the machines in a certificate. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check checker.Shapes checker.Sound words.Words words.Tables network.Trained.
From Dfst Require Import files.Json files.Agent files.Safetensors files.Certified.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation len w := (Z.of_nat (length w)).
Local Notation row x w := (alone 10 x 0 w).
Local Notation digits w := (Forall (fun d => d < 10)%N w).

(** The text is a machine whose input is digit+, and it turns decimal numbers by f. *)
Definition text_turns (s : text) (f : N -> N) : Prop :=
  exists a, read s = Some a /\ blank a = 10%N /\ parts a = [(N.ones 10, true)] /\ answer_row a = 0 /\
    turns (lookup (rules a)) (start a) (head_x a) (head_y a) f.

(** * Running along row 0 *)

Section Run.
Variable m : policy N.

(** From state q at (x, 0) on a grid that looks like G, it halts on a grid such that Q. *)
Definition ends (q : N) (x : Z) (G : grid) (Q : grid -> Prop) : Prop :=
  forall g, same g G -> exists n h, halts m (at_ q x 0 g) n h /\ Q h.

Lemma go s q x x' G G' Q q' w d : m q s = Some (act q' w d) -> d = Left \/ d = Right ->
  G x 0 = s -> same (put G x 0 w) G' -> x' = x + dx d -> ends q' x' G' Q -> ends q x G Q.
Proof.
  intros E Hd Hs Sa -> H g Eg.
  destruct (H (put g x 0 w)) as (n & h & Hh & HQ).
  { eapply same_trans; [apply same_put; exact Eg|exact Sa]. }
  exists (S n), h. split; [|exact HQ]. eapply halts_later; [|exact Hh].
  unfold step. cbn [state cells hx hy]. rewrite Eg, Hs, E. cbn [going written following].
  destruct Hd; subst d; reflexivity.
Qed.

Lemma stop s q x G G' (Q : grid -> Prop) q' w : m q s = Some (act q' w Stay) -> G x 0 = s ->
  same (put G x 0 w) G' -> (forall h, same h G' -> Q h) -> ends q x G Q.
Proof.
  intros E Hs Sa HQ g Eg. exists 1%nat, (put g x 0 w). split.
  - apply halts_now. unfold step. cbn [state cells hx hy]. rewrite Eg, Hs, E. reflexivity.
  - apply HQ. eapply same_trans; [apply same_put; exact Eg|exact Sa].
Qed.

(** To the blank behind the word. *)
Lemma walk q : (forall d, (d < 10)%N -> m q d = Some (act q d Right)) -> forall v u x0 x Q,
  digits v -> x = x0 + len u -> ends q (x + len v) (row x0 (u ++ v)) Q -> ends q x (row x0 (u ++ v)) Q.
Proof.
  intros Rule. induction v as [|d v IH]; intros u x0 x Q Hv -> H.
  - cbn [length] in H. rewrite Z.add_0_r in H. exact H.
  - inversion Hv as [|? ? Hd Hv']; subst.
    eapply go with (s := d); [apply Rule, Hd|now right| |apply put_id|reflexivity|].
    1, 2: eapply row_at; [reflexivity|reflexivity|reflexivity].
    replace (u ++ d :: v) with ((u ++ [d]) ++ v) in * by (rewrite <- app_assoc; reflexivity).
    apply IH; [exact Hv'|rewrite app_length; cbn [length dx]; lia|].
    cbn [length dx] in *. replace (x0 + len u + 1 + len v) with (x0 + len u + Z.of_nat (S (length v))) by lia. exact H.
Qed.
End Run.

(** What is left: one numeral of this value. *)
Definition leaves (t : N) (h : grid) : Prop := exists x c, same h (row x c) /\ numeral 10 c /\ value 10 c = t.

Lemma ends_turns m first f :
  (forall u, numeral 10 u -> ends m first 0 (row 0 u) (leaves (f (value 10 u)))) -> turns m first 0 0 f.
Proof.
  intros H u Hu. destruct (H u Hu (row 0 u)) as (n & g & Hn & x & c & Hc). { intros x y. reflexivity. }
  exists n, g, x, c. split; [exact Hn|exact Hc].
Qed.

(** * To the machines in a certificate *)

Lemma row_small u x y : numeral 10 u -> (row 0 u x y < 11)%N.
Proof.
  intros [_ Hu]. apply alone_small; [lia|]. revert Hu. apply Forall_impl. intros; lia.
Qed.

Definition has_rules_of (s : text) (m : policy N) (states : N) : bool :=
  match read s with
  | None => false
  | Some a => (blank a =? 10)%N && same_parts (parts a) [(N.ones 10, true)] && (head_x a =? 0) && (head_y a =? 0) &&
      (answer_row a =? 0) && (start a =? 0)%N && (0 <? states)%N && imitates states 11 m (lookup (rules a))
  end.

Theorem teacher_turns s m states f :
  has_rules_of s m states = true -> turns m 0%N 0 0 f -> text_turns s f.
Proof.
  unfold has_rules_of, text_turns. intros Has Tu. destruct (read s) as [a|]; [|discriminate]. exists a.
  rewrite !andb_true_iff, !Z.eqb_eq, !N.eqb_eq, N.ltb_lt in Has.
  destruct Has as [[[[[[[Bl Pa] Hx] Hy] Ro] St] Pos] Im]. apply same_parts_eq in Pa.
  repeat (split; [solve [auto]|]). rewrite Hx, Hy, St. intros u Hu.
  destruct (Tu u Hu) as (n & g & x' & c & H & Rest). exists n, g, x', c. split; [|exact Rest].
  apply (imitates_halts _ _ _ _ Im _ _ _ H); cbn [state cells]; [exact Pos|]. intros. now apply row_small.
Qed.

Definition same_row (s t : text) : bool :=
  match read s, read t with Some a, Some b => answer_row a =? answer_row b | _, _ => false end.

Theorem learner_turns T L hT hL e never f : judge T L hT hL e = Some (true, never) -> same_row T L = true ->
  text_turns T f -> text_turns L f.
Proof.
  intros J Row (t & Rt & Bl & Pa & Ro & Tu). apply judge_verdict in J as (_ & _ & t' & l & Rt' & Rl & V).
  rewrite Rt in Rt'. injection Rt' as <-. exists l. split; [exact Rl|].
  unfold same_row in Row. rewrite Rt, Rl in Row. apply Z.eqb_eq in Row.
  pose proof V as W. unfold verdict in W. destruct (checked t l e) as [m|] eqn:Ch; [|discriminate].
  destruct (checked_joint _ _ _ _ Ch) as (_ & Sw & _). unfold same_world in Sw. split_all.
  match goal with H : same_parts _ _ = true |- _ => apply same_parts_eq in H end.
  repeat (split; [congruence|]). intros u Hu. destruct (Tu u Hu) as (n & g & x' & c & H & Rest).
  exists n, g, x', c. split; [|exact Rest].
  pose proof (equal_halts t l (verdict_equal _ _ _ _ V) u) as Eq. rewrite Pa in Eq.
  assert (Ma : matches [(N.ones 10, true)] u).
  { rewrite <- (app_nil_r u). apply digits_match; [exact Hu|constructor]. }
  specialize (Eq Ma n g). unfold begins, input in Eq.
  replace (blank l) with 10%N in Eq by congruence. rewrite Bl in Eq. apply Eq, H.
Qed.

(** All of it at once: texts with the hashes of the certificate are machines, and both turn decimal numbers by f. *)
Theorem both_turn c m states f :
  shows_equal c = true -> has_rules_of (teacher c) m states = true -> same_row (teacher c) (learner c) = true ->
  turns m 0%N 0 0 f ->
  exists T L, of_texts T L (teacher_hash c) (learner_hash c) equal /\ text_turns T f /\ text_turns L f.
Proof.
  intros Eq Rules Row Tu. destruct (shows_equal_judge _ Eq) as [never J].
  pose proof (teacher_turns _ _ _ _ Rules Tu) as Te.
  exists (teacher c), (learner c). split; [exact (judged_equal _ _ _ _ _ _ J)|]. split; [exact Te|].
  exact (learner_turns _ _ _ _ _ _ _ J Row Te).
Qed.

(** The trained network itself, its hidden state rounded. *)
Theorem trained_turns c file bits m states f :
  shows c = Some (true, true) -> has_rules_of (teacher c) m states = true -> trained_along c file bits = true ->
  turns m 0%N 0 0 f ->
  forall w, trained_in file = Some w -> turns (rounding bits w) (rounded bits (h0 w)) 0 0 f.
Proof.
  intros Never Rules Along Tu w' Rw'. destruct (trained_acts _ _ _ Never Along) as (t & w & Rt & Rw & Acts).
  rewrite Rw in Rw'. injection Rw' as <-. intros u Hu.
  destruct (teacher_turns _ _ _ _ Rules Tu) as (t' & Rt' & Bl & Pa & _ & Tu'). rewrite Rt in Rt'.
  injection Rt' as <-. unfold has_rules_of in Rules. rewrite Rt in Rules.
  rewrite !andb_true_iff, !Z.eqb_eq in Rules. destruct Rules as [[[[[[[_ _] Hx] Hy] _] _] _] _].
  destruct (Tu' u Hu) as (n & g & x' & d & H & Rest). exists n, g, x', d. split; [|exact Rest].
  pose proof (acts_like_halts _ _ _ Acts u) as Like. rewrite Pa in Like.
  assert (Ma : matches [(N.ones 10, true)] u).
  { rewrite <- (app_nil_r u). apply digits_match; [exact Hu|constructor]. }
  specialize (Like Ma n g). unfold begins, input in Like. rewrite Bl, Hx, Hy in Like.
  rewrite Hx, Hy in H. apply Like, H.
Qed.
