(** What the checker accepts is so: the theorem of docs/certificates.md. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check checker.Shapes checker.Steps checker.Runs checker.Starts.
Import ListNotations.

(** * What is known of a table that is well formed *)

Lemma well_formed_writes a : well_formed a = true ->
  forall q x r, lookup (rules a) q x = Some r -> (written r < symbols a)%N.
Proof.
  unfold well_formed, lookup. intros W q x r E. split_all.
  match goal with H : forallb _ (rules a) = true |- _ => rewrite forallb_forall in H; rename H into Rows end.
  destruct (nth_in_or_default (N.to_nat q) (rules a) []) as [I|D].
  - specialize (Rows _ I). split_all. rewrite forallb_forall in Rows.
    destruct (nth_in_or_default (N.to_nat x) (nth (N.to_nat q) (rules a) []) None) as [J|D]; [|congruence].
    rewrite E in J. specialize (Rows _ J). cbn in Rows. split_all. assumption.
  - rewrite D in E. destruct (N.to_nat x); discriminate.
Qed.

Lemma testbit_small set k a : (set < bit k)%N -> N.testbit set a = true -> (a < k)%N.
Proof.
  intros Lt T. destruct (N.lt_ge_cases a k) as [|Ge]; [assumption|exfalso].
  destruct (N.eq_dec set 0) as [->|Ne]; [rewrite N.bits_0 in T; discriminate|].
  rewrite N.bits_above_log2 in T; [discriminate|].
  apply N.lt_le_trans with k; [|exact Ge]. apply N.log2_lt_pow2; [lia|exact Lt].
Qed.

Lemma matches_small k ps w : forallb (fun p => (fst p <? bit k)%N) ps = true -> matches ps w ->
  Forall (fun a => (a < k)%N) w.
Proof.
  intros Sm Ma. induction Ma as [|set many ps a w H _ IH|set ps a w H _ IH]; [constructor|..];
    pose proof Sm as Sm'; cbn in Sm'; apply andb_true_iff in Sm' as [S1 S2]; apply N.ltb_lt in S1;
    (constructor; [eapply testbit_small; eauto|auto]).
Qed.

Lemma alone_small k void x y w u v : (void < k)%N -> Forall (fun a => (a < k)%N) w -> (alone void x y w u v < k)%N.
Proof.
  intros V F. unfold alone. destruct (_ && _ && _); [|exact V].
  rewrite Forall_forall in F.
  destruct (nth_in_or_default (Z.to_nat (u - x)) w void) as [I| ->]; auto.
Qed.

(** * The start *)

Lemma same_parts_eq : forall p p', same_parts p p' = true -> p = p'.
Proof.
  induction p as [|[s m] p IH]; intros [|[s' m'] p'] E; cbn in E; try discriminate; [reflexivity|].
  split_all. match goal with H : eqb _ _ = true |- _ => apply eqb_prop in H end. subst. f_equal. auto.
Qed.

(** A member among those named as starts says how every input begins. *)
Lemma checked_start t l e m : checked t l e = Some m -> forall w, matches (parts t) w ->
  (forall x y, cells (begins t w) x y < symbols t)%N /\
  exists n c hints, In n (starts e) /\ get n m = Some (c, hints) /\ tq c = start t /\ lq c = start l /\
    stands (blank t) (low e) (spot c) (head_x t) (head_y t) (alone (blank t) 0 0 w).
Proof.
  unfold checked. intros Ok w Fits. destruct (decode e) as [m'|]; [|discriminate].
  match type of Ok with (if ?b then _ else _) = _ => destruct b eqn:All; [|discriminate] end. injection Ok as ->.
  split_all. destruct (all_some _ (starts e)) as [hinted|] eqn:Hi; [|discriminate].
  assert (R0 : (low e <= 0 < low e + Z.of_nat (height e))%Z) by lia.
  destruct (all_starts_sound (blank t) (low e) (height e) R0 _ _ Fits (head_x t)) as ([[hl d] hr] & I & Hl & Hd & Hr).
  match goal with H : forallb _ (all_starts _ _ _ _ _) = true |- _ =>
    rewrite forallb_forall in H; specialize (H _ I); cbn in H;
    apply existsb_exists in H; destruct H as ((c & hs) & Ic & Co) end.
  destruct (all_some_from _ _ _ _ Hi Ic) as (n & In & G). cbn [fst] in Co.
  pose proof (covers_sound _ (low e) _ _ _ (head_x t) (head_y t) (alone (blank t) 0 0 w) Co) as Cs.
  cbn [tq lq spot] in Cs. destruct Cs as (Qt & Ql & St). { constructor; auto. lia. }
  split; [|exists n, c, hs; auto].
  match goal with H : well_formed t = true |- _ => unfold well_formed in H end. split_all.
  intros u v. apply alone_small; [assumption|]. eapply matches_small; [|exact Fits].
  match goal with H : forallb _ (parts t) = true |- _ => revert H end.
  rewrite !forallb_forall. intros H p Ip. specialize (H p Ip). split_all. reflexivity.
Qed.

Lemma checked_joint t l e m : checked t l e = Some m ->
  well_formed t = true /\ same_world t l = true /\
  every (member_ok (symbols t) (blank t) (height e) (lookup (rules t)) (lookup (rules l)) m) m = true /\
  forall w, matches (parts t) w -> joint (symbols t) (blank t) (low e) m (begins t w) (begins l w).
Proof.
  intros Ch. pose proof (checked_start _ _ _ _ Ch) as Begin. revert Ch. unfold checked. intros Ok.
  destruct (decode e) as [m'|]; [|discriminate].
  match type of Ok with (if ?b then _ else _) = _ => destruct b eqn:All; [|discriminate] end. injection Ok as ->.
  split_all. do 3 (split; [first [assumption|reflexivity]|]). intros w Fits.
  destruct (Begin w Fits) as (Bd & n & c & hs & _ & G & Qt & Ql & St).
  match goal with H : same_world t l = true |- _ => unfold same_world in H end. split_all.
  match goal with H : same_parts _ _ = true |- _ => apply same_parts_eq in H end.
  unfold begins, input in *. replace (head_x l) with (head_x t) by congruence.
  replace (head_y l) with (head_y t) by congruence. replace (blank l) with (blank t) by congruence.
  rewrite <- Qt, <- Ql. eapply joint_by; eauto.
Qed.

(** * The theorems *)

(** Up to where the teacher is stuck. *)
Theorem verdict_until_stuck t l e together never : verdict t l e = Some (together, never) -> equal_until_stuck t l.
Proof.
  unfold verdict. intros V w Fits n Ns. destruct (checked t l e) as [m|] eqn:Ch; [|discriminate].
  destruct (checked_joint _ _ _ _ Ch) as (Wf & _ & Ok & J).
  eapply joint_until; [apply well_formed_writes, Wf|exact Ok|apply J, Fits|exact Ns].
Qed.

(** On every input, for ever. *)
Theorem verdict_equal t l e never : verdict t l e = Some (true, never) -> equal t l.
Proof.
  unfold verdict. intros V w Fits n. destruct (checked t l e) as [m|] eqn:Ch; [|discriminate].
  destruct (checked_joint _ _ _ _ Ch) as (Wf & _ & Ok & J). injection V as V _.
  eapply joint_together; [apply well_formed_writes, Wf|exact Ok|exact V|apply J, Fits].
Qed.

(** The teacher always has a rule. *)
Theorem verdict_never_stuck t l e together : verdict t l e = Some (together, true) ->
  forall w, matches (parts t) w -> forall n, run (lookup (rules t)) n (begins t w) <> Stuck.
Proof.
  unfold verdict. intros V w Fits n. destruct (checked t l e) as [m|] eqn:Ch; [|discriminate].
  destruct (checked_joint _ _ _ _ Ch) as (Wf & _ & Ok & J). injection V as _ V.
  eapply joint_never_stuck; [apply well_formed_writes, Wf|exact Ok|exact V|apply J, Fits].
Qed.

(** They halt at the same step and leave the same grid. *)
Corollary equal_halts t l : equal t l -> forall w, matches (parts t) w ->
  forall n g, halts (lookup (rules t)) (begins t w) n g <-> halts (lookup (rules l)) (begins l w) n g.
Proof. intros E w Fits. apply alike_halts, E, Fits. Qed.

(** In the weaker scope: whenever the teacher halts. *)
Corollary equal_until_stuck_halts t l : equal_until_stuck t l -> forall w, matches (parts t) w ->
  forall n g, halts (lookup (rules t)) (begins t w) n g -> halts (lookup (rules l)) (begins l w) n g.
Proof. intros E w Fits. apply alike_until_halts, E, Fits. Qed.

(** * Arithmetic: what the teacher computes, the learner does *)

(** digit+ sign digit+ in the alphabet of arithmetic. *)
Definition arithmetic (radix : N) : list part :=
  [(N.ones radix, true); (bit (radix + 1), false); (N.ones radix, true)].

Lemma digits_match radix a ps w : numeral radix a -> matches ps w -> matches ((N.ones radix, true) :: ps) (a ++ w).
Proof.
  intros [Ne All] H. induction All as [|d a Lt All IH]; [congruence|].
  cbn [app]. apply N.ones_spec_low in Lt.
  destruct a as [|e a]; [apply matches_last; auto|].
  apply matches_more; [exact Lt|]. apply IH. discriminate.
Qed.

Lemma problem_matches radix a b : numeral radix a -> numeral radix b ->
  matches (arithmetic radix) (a ++ [radix + 1]%N ++ b).
Proof.
  intros A B. apply digits_match; [exact A|]. cbn [app].
  apply matches_last; [apply bit_holds; reflexivity|].
  rewrite <- (app_nil_r b). apply digits_match; [exact B|apply matches_end].
Qed.

Theorem learner_computes t l radix row op steps :
  equal t l -> blank t = radix -> parts t = arithmetic radix ->
  head_x l = head_x t -> head_y l = head_y t -> blank l = blank t ->
  computes (lookup (rules t)) (start t) radix (head_x t) (head_y t) row op steps ->
  computes (lookup (rules l)) (start l) radix (head_x l) (head_y l) row op steps.
Proof.
  intros Eq Bl Pa Hx Hy Bs Co a b A B. destruct (Co a b A B) as (n & g & x & c & Le & H & Rest).
  exists n, g, x, c. split; [exact Le|]. split; [|exact Rest].
  pose proof (equal_halts t l Eq (a ++ [radix + 1]%N ++ b)) as E.
  rewrite Pa in E. specialize (E (problem_matches radix a b A B) n g). unfold begins, input in E.
  rewrite Bs, Bl in E. apply E, H.
Qed.
