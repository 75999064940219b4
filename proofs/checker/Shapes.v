(** What shapes mean, and the first two lemmas of docs/certificates.md: order and pop. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check.
Import ListNotations.

(** * Small things *)

Ltac split_and H :=
  repeat match type of H with
  | (if ?b then _ else false) = true => let E := fresh "E" in destruct b eqn:E; [|discriminate H]
  end.

(** The same for all hypotheses; and numbers that are compared. *)
Ltac split_all :=
  repeat match goal with
  | H : (if ?b then _ else false) = true |- _ => let E := fresh "E" in destruct b eqn:E; [|discriminate H]
  | H : N.eqb _ _ = true |- _ => apply N.eqb_eq in H
  | H : N.ltb _ _ = true |- _ => apply N.ltb_lt in H
  | H : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in H
  | H : Nat.ltb _ _ = true |- _ => apply Nat.ltb_lt in H
  | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H
  | H : Z.leb _ _ = true |- _ => apply Z.leb_le in H
  | H : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in H
  end.

Lemma bit_holds s a : N.testbit (bit s) a = true <-> a = s.
Proof. unfold bit. rewrite N.pow2_bits_eqb, N.eqb_eq. split; congruence. Qed.

Lemma in_upto n a : (a < n)%N -> In a (upto n).
Proof.
  intros H. apply in_map_iff. exists (N.to_nat a). split; [apply N2Nat.id|]. apply in_seq. lia.
Qed.

Lemma symbols_complete set a : N.testbit set a = true -> In a (symbols_in set).
Proof.
  intros H. apply filter_In. split; [|exact H]. apply in_upto.
  destruct (N.eq_dec set 0) as [->|Z]; [rewrite N.bits_0 in H; discriminate|].
  rewrite (N.size_log2 _ Z).
  destruct (N.lt_ge_cases (N.log2 set) a) as [G|G]; [|lia].
  rewrite N.bits_above_log2 in H by exact G. discriminate.
Qed.

Lemma same_move_eq m m' : same_move m m' = true -> m = m'.
Proof. destruct m, m'; cbn; congruence. Qed.

Lemma nth_set_same {A} (v d : A) : forall l n, n < length l -> nth n (set_nth n v l) d = v.
Proof. induction l; intros [|n] H; cbn in *; try lia; auto. apply IHl. lia. Qed.

Lemma nth_set_other {A} (v d : A) : forall l n i, i <> n -> nth i (set_nth n v l) d = nth i l d.
Proof. induction l; intros [|n] [|i] H; cbn; auto; try congruence. Qed.

Lemma length_set {A} (v : A) : forall l n, length (set_nth n v l) = length l.
Proof. induction l; intros [|n]; cbn; auto. Qed.

(** * What shapes mean *)

Section World.
Variables (void : N) (lowest : Z) (rows : nat).
Notation blanks := (blanks void rows).

(** The symbols that a column allows in row y; only the blank outside of its rows. *)
Definition allowed (C : column) (y : Z) : N :=
  if (y <? lowest)%Z then bit void else nth (Z.to_nat (y - lowest)) C (bit void).

(** The column C holds the column c of a grid. *)
Definition within (C : column) (c : Z -> N) : Prop := forall y, N.testbit (allowed C y) (c y) = true.

(** A half holds a sequence of columns: a block of columns for each run, then blank ones for ever. *)
Inductive holds : half -> (nat -> Z -> N) -> Prop :=
| holds_end : forall f, (forall i y, f i y = void) -> holds [] f
| holds_last : forall C many h f,
    within C (f 0) -> holds h (fun i => f (S i)) -> holds ((C, many) :: h) f
| holds_more : forall C h f,
    within C (f 0) -> holds ((C, true) :: h) (fun i => f (S i)) -> holds ((C, true) :: h) f.

(** The heads and grids that a place stands for. *)
Inductive stands : place -> Z -> Z -> grid -> Prop :=
| stands_anywhere : forall x y g, stands Anywhere x y g
| stands_at : forall row l C r x y g,
    y = (lowest + Z.of_nat row)%Z ->
    holds l (fun i => g (x - 1 - Z.of_nat i)%Z) -> within C (g x) -> holds r (fun i => g (x + 1 + Z.of_nat i)%Z) ->
    stands (At row l C r) x y g.

(** Sequences that are alike are held alike. *)
Lemma within_ext C c d : (forall y, c y = d y) -> within C c -> within C d.
Proof. intros E W y. rewrite <- E. apply W. Qed.

Lemma holds_ext h f : holds h f -> forall f', (forall i y, f i y = f' i y) -> holds h f'.
Proof.
  induction 1 as [f B|C many h f W H IH|C h f W H IH]; intros f' E.
  - apply holds_end. intros. rewrite <- E. apply B.
  - apply holds_last; [exact (within_ext _ _ _ (E 0) W)|]. apply IH. intros. apply E.
  - apply holds_more; [exact (within_ext _ _ _ (E 0) W)|]. apply IH. intros. apply E.
Qed.

(** * Columns *)

Lemma within_blanks c : within blanks c <-> forall y, c y = void.
Proof.
  assert (A : forall y, allowed blanks y = bit void).
  { intros y. unfold allowed, Check.blanks. destruct (y <? lowest)%Z; [reflexivity|apply nth_repeat]. }
  split; intros H y.
  - apply bit_holds. rewrite <- (A y). apply H.
  - rewrite A. apply bit_holds, H.
Qed.

Lemma inside_nth : forall C C' i a d,
  inside C C' = true -> N.testbit (nth i C d) a = true -> N.testbit (nth i C' d) a = true.
Proof.
  induction C as [|b C IH]; intros [|b' C'] i a d E; cbn in E; try discriminate; [auto|].
  split_and E. apply N.eqb_eq in E0.
  destruct i as [|i]; cbn; [|apply IH; exact E].
  rewrite <- E0, N.land_spec. intros H. apply andb_true_iff in H. apply H.
Qed.

Lemma inside_within C C' c : inside C C' = true -> within C c -> within C' c.
Proof.
  intros E W y. specialize (W y). unfold allowed in *.
  destruct (y <? lowest)%Z; [exact W|]. eapply inside_nth; eauto.
Qed.

(** One cell of a column is changed. *)
Lemma within_set C c c' n v :
  n < length C -> within C c ->
  N.testbit v (c' (lowest + Z.of_nat n)%Z) = true ->
  (forall y, y <> (lowest + Z.of_nat n)%Z -> c' y = c y) ->
  within (set_nth n v C) c'.
Proof.
  intros Len W V E y. unfold allowed.
  destruct (Z.ltb_spec y lowest) as [B|B].
  - rewrite E by lia. specialize (W y). unfold allowed in W.
    destruct (Z.ltb_spec y lowest); [exact W|lia].
  - destruct (Z.eq_dec y (lowest + Z.of_nat n)) as [->|Ne].
    + replace (Z.to_nat _) with n by lia. rewrite nth_set_same by exact Len. exact V.
    + rewrite nth_set_other by lia. rewrite E by exact Ne.
      specialize (W y). unfold allowed in W. destruct (Z.ltb_spec y lowest); [lia|exact W].
Qed.

(** * Lemma 1: order *)

(** What a state of laying promises: the rest of the other half holds the sequence; or, if its first run has been hit
    and may be again, perhaps what comes after it. *)
Definition promised (p : laying) (f : nat -> Z -> N) : Prop :=
  if snd p then forall C l, fst p = (C, true) :: l -> holds l f \/ holds (fst p) f else holds (fst p) f.

Lemma blanks_held l f : forallb (fun r => inside blanks (fst r)) l = true -> (forall i y, f i y = void) -> holds l f.
Proof.
  revert f. induction l as [|[C m] l IH]; intros f E B; [apply holds_end, B|].
  cbn in E. apply andb_true_iff in E. destruct E as [E1 E2].
  apply holds_last; [|apply IH; auto]. apply (inside_within _ _ _ E1), within_blanks, B.
Qed.

(** A run laid onto the beginning of l: if the state after it promises the rest, l holds the whole. *)
Lemma laid_onto_sound c many l p small f :
  In p (laid_onto void rows c many l) -> (forall g, holds small g -> promised p g) ->
  holds ((c, many) :: small) f -> holds l f.
Proof.
  intros I P H. remember ((c, many) :: small) as whole eqn:W. revert W.
  induction H as [f B|C m h f Wi H IH|C h f Wi H IH]; intros W; inversion W; subst; clear W;
    unfold laid_onto in I; destruct l as [|[d wide] l'].
  - (* the last column of the block, beyond the end *)
    destruct (inside c blanks) eqn:E0; [|destruct I]. destruct I as [<-|[]]. apply holds_end.
    pose proof (P _ H) as Q. cbn in Q. inversion Q as [? B'| |]; subst.
    apply (inside_within _ _ _ E0) in Wi. rewrite within_blanks in Wi. intros [|i] y; [apply Wi|apply (B' i)].
  - (* the last column of the block, onto a run *)
    destruct (inside c d) eqn:E0; [|destruct I]. apply (inside_within _ _ _ E0) in Wi. destruct wide.
    + destruct I as [<-|[]]. destruct (P _ H d l' eq_refl) as [G|G]; [apply holds_last|apply holds_more]; auto.
    + destruct many; [destruct I|]. destruct I as [<-|[]]. apply holds_last; auto. exact (P _ H).
  - (* the block goes on, beyond the end *)
    specialize (IH eq_refl). destruct (inside c blanks) eqn:E0; [|destruct I]. apply holds_end.
    inversion IH as [? B'| |]; subst. apply (inside_within _ _ _ E0) in Wi. rewrite within_blanks in Wi.
    intros [|i] y; [apply Wi|apply (B' i)].
  - (* the block goes on, onto a run *)
    specialize (IH eq_refl). destruct (inside c d) eqn:E0; [|destruct I].
    apply (inside_within _ _ _ E0) in Wi. destruct wide; [|destruct I]. apply holds_more; auto.
Qed.

Lemma distinct_in p : forall l, In p (distinct l) -> In p l.
Proof.
  induction l as [|q l IH]; cbn [distinct]; [auto|]. destruct (existsb _ _); cbn; [auto|]. intros [->|I]; auto.
Qed.

Lemma laid_sound : forall small states, laid void rows small states = true ->
  exists p, In p states /\ forall f, holds small f -> promised p f.
Proof.
  induction small as [|[c many] small IH]; intros states E; cbn [laid] in E.
  - apply existsb_exists in E as ((l & hit) & I & E). exists (l, hit). split; [exact I|]. intros f H.
    inversion H as [f' B| |]; subst. unfold promised. cbn [fst snd] in *. destruct hit.
    + intros C l' ->. left. now apply blanks_held.
    + now apply blanks_held.
  - apply IH in E as (q & I & P). apply distinct_in, in_flat_map in I as ((l & hit) & Il & Iq).
    exists (l, hit). split; [exact Il|]. intros f H. unfold laid_from in Iq. cbn [fst snd] in Iq.
    apply in_app_or in Iq as [Iq|Iq]; unfold promised; cbn [fst snd].
    + pose proof (laid_onto_sound _ _ _ _ _ _ Iq P H). destruct hit; auto.
    + destruct hit; [|destruct Iq]. intros C l' ->. left. exact (laid_onto_sound _ _ _ _ _ _ Iq P H).
Qed.

Lemma half_sound small large f : half_inside void rows small large = true -> holds small f -> holds large f.
Proof. intros E H. apply laid_sound in E as (p & [<-|[]] & P). exact (P f H). Qed.

(** Of shapes: the states are equal, and one place holds all that the other does. *)
Lemma covers_sound c d x y g : covers void rows c d = true -> stands (spot c) x y g ->
  tq c = tq d /\ lq c = lq d /\ stands (spot d) x y g.
Proof.
  unfold covers. intros E H. split_all. split; [assumption|]. split; [assumption|].
  destruct (spot c) as [|row l C r], (spot d) as [|row' l' C' r']; try discriminate; try (constructor; fail).
  split_all. subst row'. inversion H; subst.
  constructor; [reflexivity| | |]; try (eapply half_sound; eassumption). eapply inside_within; eassumption.
Qed.

(** * Lemma 2: pop *)

Lemma pop_sound h f : holds h f ->
  exists C h', In (C, h') (pop void rows h) /\ within C (f 0) /\ holds h' (fun i => f (S i)).
Proof.
  destruct 1 as [f B|C many h f W H|C h f W H].
  - exists blanks, []. cbn. split; [auto|]. split; [apply within_blanks, B|]. apply holds_end. intros; apply B.
  - exists C, h. destruct many; cbn; auto.
  - exists C, ((C, true) :: h). cbn; auto.
Qed.
End World.
