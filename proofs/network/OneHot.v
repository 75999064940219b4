(** Any machine is a network: the paper's universality theorem. With one-hot weights (src/dfst/training/one_hot.py) the
    hidden vector is always the unit vector of the machine's state, and the network makes exactly the machine's
    steps. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check checker.Shapes checker.Runs checker.Sound.
Import ListNotations.
Local Open Scope Z_scope.

(** * The weights *)

Definition indicator (b : bool) : Z := if b then 1 else 0.
Definition unit (d q : nat) : list Z := map (fun i => indicator (i =? q)%nat) (seq 0 d).
Definition move_no (m : move) : nat := match m with Up => 0 | Down => 1 | Left => 2 | Right => 3 | Stay => 4 end.

(** A[x][q', q] = 1 where (q, x) goes on in q'; B[x][w, q] = C[x][m, q] = 1 where it writes w and moves m. *)
Definition weight_A (t : table) (x : N) (i j : nat) : Z :=
  match lookup t (N.of_nat j) x with
  | Some a => indicator (negb (same_move (going a) Stay) && (i =? N.to_nat (following a))%nat)
  | None => 0
  end.
Definition weight_B (t : table) (x : N) (i j : nat) : Z :=
  match lookup t (N.of_nat j) x with Some a => indicator (i =? N.to_nat (written a))%nat | None => 0 end.
Definition weight_C (t : table) (x : N) (i j : nat) : Z :=
  match lookup t (N.of_nat j) x with Some a => indicator (i =? move_no (going a))%nat | None => 0 end.

Definition one_hot (a : agent) (d : nat) : network :=
  net d (N.to_nat (symbols a)) (weight_A (rules a)) (weight_B (rules a)) (weight_C (rules a))
      (unit d (N.to_nat (start a))).

(** * Sums: each has at most one term that is not zero *)

Lemma nth_map_seq {A} (f : nat -> A) n i e : (i < n)%nat -> nth i (map f (seq 0 n)) e = f i.
Proof.
  intros H. rewrite (nth_indep _ e (f 0%nat)) by (rewrite map_length, seq_length; exact H).
  rewrite map_nth, seq_nth by exact H. reflexivity.
Qed.

Lemma unit_nth d q j : (j < d)%nat -> nth j (unit d q) 0 = indicator (j =? q)%nat.
Proof. intros. unfold unit. now rewrite nth_map_seq. Qed.

(** Beside the term of the state all are zero, whatever the weights. *)
Lemma one_term d q j weight : (j < d)%nat -> j <> q -> weight * nth j (unit d q) 0 = 0.
Proof. intros Hj Ne. rewrite unit_nth by exact Hj. rewrite (proj2 (Nat.eqb_neq _ _) Ne). apply Z.mul_0_r. Qed.

(** So every partial sum, in whatever order they are formed from the left, is 0 or that one weight: with weights 0 and 1
    only the numbers 0 and 1 occur, which floats have, and 0 + 0, 0 + 1, 1 + 0, 0 * 0, 0 * 1, 1 * 1 are exact there. *)
Lemma partial_sum d q weights : forall n, (n <= d)%nat ->
  total n (fun j => weights j * nth j (unit d q) 0) = if (q <? n)%nat then weights q else 0.
Proof.
  induction n as [|n IH]; intros Hn; [reflexivity|]. cbn [total]. rewrite IH, unit_nth by lia.
  destruct (Nat.ltb_spec q n), (Nat.ltb_spec q (S n)), (Nat.eqb_spec n q); subst; cbn [indicator]; lia.
Qed.

Lemma product_unit rows d q M : (q < d)%nat -> product rows d M (unit d q) = map (fun i => M i q) (seq 0 rows).
Proof.
  intros Hq. apply map_ext. intros i. rewrite (partial_sum d q (M i)) by lia.
  now rewrite (proj2 (Nat.ltb_lt _ _)).
Qed.

(** * The largest score *)

Lemma length_unit n w : length (unit n w) = n.
Proof. unfold unit. now rewrite map_length, seq_length. Qed.

Lemma largest_one n w : (w < n)%nat -> largest (unit n w) = Some w.
Proof.
  intros Hw. unfold largest. rewrite length_unit.
  destruct (find _ (seq 0 n)) as [i|] eqn:F.
  - apply find_some in F as [I F]. apply in_seq in I. rewrite forallb_forall in F.
    specialize (F w ltac:(apply in_seq; lia)). rewrite !unit_nth in F by lia.
    destruct (Nat.eqb_spec w i); [congruence|]. rewrite Nat.eqb_refl in F.
    destruct (Nat.eqb_spec i w); [congruence|]. discriminate.
  - exfalso. pose proof (find_none _ _ F w ltac:(apply in_seq; lia)) as E. cbv beta in E.
    rewrite <- not_true_iff_false in E. apply E, forallb_forall. intros j Hj. apply in_seq in Hj.
    rewrite !unit_nth by lia. rewrite Nat.eqb_refl. destruct (j =? w)%nat; reflexivity.
Qed.

(** All scores equal: a tie. *)
Lemma largest_tie n : (2 <= n)%nat -> largest (map (fun _ => 0) (seq 0 n)) = None.
Proof.
  intros Hn. unfold largest. rewrite map_length, seq_length.
  destruct (find _ (seq 0 n)) as [i|] eqn:F; [|reflexivity]. exfalso.
  apply find_some in F as [I F]. apply in_seq in I. rewrite forallb_forall in F.
  set (j := if (i =? 0)%nat then 1%nat else 0%nat).
  assert (j < n /\ j <> i)%nat by (unfold j; destruct (Nat.eqb_spec i 0); lia).
  specialize (F j ltac:(apply in_seq; lia)). rewrite !nth_map_seq in F by lia.
  rewrite (proj2 (Nat.eqb_neq j i)) in F by lia. discriminate.
Qed.

(** * One step *)

Lemma move_of_no m : move_of (move_no m) = m.
Proof. destruct m; reflexivity. Qed.

Lemma acts t k d h0 q x : (q < d)%nat ->
  (forall a, lookup t (N.of_nat q) x = Some a -> (written a < k)%N) ->
  acting (net d (N.to_nat k) (weight_A t) (weight_B t) (weight_C t) h0) (unit d q) x =
  match lookup t (N.of_nat q) x with
  | None => None
  | Some a => Some (act (map (fun i => weight_A t x i q) (seq 0 d)) (written a) (going a))
  end.
Proof.
  intros Hq Hw. unfold acting. cbn [letters dimension A B C]. rewrite !product_unit by exact Hq.
  destruct (lookup t (N.of_nat q) x) as [a|] eqn:E.
  - rewrite (map_ext (fun i => weight_B t x i q) (fun i => indicator (i =? N.to_nat (written a))%nat))
      by (intros; unfold weight_B; now rewrite E).
    rewrite (map_ext (fun i => weight_C t x i q) (fun i => indicator (i =? move_no (going a))%nat))
      by (intros; unfold weight_C; now rewrite E).
    fold (unit (N.to_nat k) (N.to_nat (written a))). fold (unit 5 (move_no (going a))).
    rewrite !largest_one.
    + now rewrite N2Nat.id, move_of_no.
    + destruct (going a); cbn; lia.
    + specialize (Hw a eq_refl). lia.
  - rewrite (map_ext (fun i => weight_C t x i q) (fun _ => 0)) by (intros; unfold weight_C; now rewrite E).
    rewrite largest_tie by lia. now destruct (largest _).
Qed.

(** * All steps *)

Section Network.
Variables (a : agent) (d : nat).
Hypothesis formed : well_formed a = true.
Hypothesis room : (length (rules a) <= d)%nat.

Lemma follows_inside q x r : lookup (rules a) q x = Some r -> going r <> Stay ->
  (N.to_nat (following r) < d)%nat.
Proof.
  intros E Ns. pose proof formed as W. unfold well_formed in W. split_all.
  match goal with H : forallb _ (rules a) = true |- _ => rewrite forallb_forall in H; rename H into Rows end.
  unfold lookup in E. destruct (nth_in_or_default (N.to_nat q) (rules a) []) as [I|D].
  - specialize (Rows _ I). split_all. rewrite forallb_forall in Rows.
    destruct (nth_in_or_default (N.to_nat x) (nth (N.to_nat q) (rules a) []) None) as [J|D]; [|congruence].
    rewrite E in J. specialize (Rows _ J). cbn in Rows. split_all.
    destruct (same_move (going r) Stay) eqn:Sm; [apply same_move_eq in Sm; congruence|].
    apply N.ltb_lt in Rows. lia.
  - rewrite D in E. destruct (N.to_nat x); discriminate.
Qed.

(** Machine and network side by side: the hidden vector is the unit vector of the machine's state. *)
Inductive paired : outcome N -> outcome (list Z) -> Prop :=
| paired_going : forall q x y g, (q < d)%nat -> paired (Going (at_ (N.of_nat q) x y g)) (Going (at_ (unit d q) x y g))
| paired_halted : forall g, paired (Halted g) (Halted g)
| paired_stuck : paired Stuck Stuck.

Lemma paired_run : forall n q x y g, (q < d)%nat ->
  paired (run (lookup (rules a)) n (at_ (N.of_nat q) x y g)) (run (acting (one_hot a d)) n (at_ (unit d q) x y g)).
Proof.
  induction n as [|n IH]; intros q x y g Hq; [now constructor|]. cbn [run]. unfold step.
  cbn [state cells hx hy]. unfold one_hot at 1. rewrite acts; [|exact Hq|].
  2: { intros r E. exact (well_formed_writes a formed _ _ _ E). }
  destruct (lookup (rules a) (N.of_nat q) (g x y)) as [r|] eqn:E; [|constructor]. cbn [following written going].
  destruct (same_move (going r) Stay) eqn:Sm; [apply same_move_eq in Sm; rewrite Sm; constructor|].
  assert (Ns : going r <> Stay) by (intros C; rewrite C in Sm; discriminate).
  replace (map (fun i => weight_A (rules a) (g x y) i q) (seq 0 d)) with (unit d (N.to_nat (following r))).
  2: { apply map_ext. intros i. unfold weight_A. rewrite E, Sm. reflexivity. }
  pose proof (follows_inside _ _ _ E Ns) as Hf.
  destruct (going r); try congruence; rewrite <- (N2Nat.id (following r)) at 1; now apply IH.
Qed.

(** The network makes exactly the machine's steps. *)
Theorem universal w n : (N.to_nat (start a) < d)%nat ->
  alike (run (lookup (rules a)) n (begins a w)) (run (acting (one_hot a d)) n (input a (h0 (one_hot a d)) w)).
Proof.
  intros Hs. unfold begins, input. cbn [h0 one_hot]. rewrite <- (N2Nat.id (start a)) at 1.
  destruct (paired_run n (N.to_nat (start a)) (head_x a) (head_y a) (alone (blank a) 0 0 w) Hs); cbn; auto.
Qed.

(** Its hidden vector is one-hot after any number of steps, so the lemmas about sums are about all sums it forms. *)
Theorem hidden_one_hot w n c : (N.to_nat (start a) < d)%nat ->
  run (acting (one_hot a d)) n (input a (h0 (one_hot a d)) w) = Going c -> exists q, (q < d)%nat /\ state c = unit d q.
Proof.
  intros Hs E. pose proof (paired_run n (N.to_nat (start a)) (head_x a) (head_y a) (alone (blank a) 0 0 w) Hs) as P.
  unfold input in E. cbn [h0 one_hot] in E. fold (one_hot a d) in E. rewrite E in P.
  inversion P; subst. eexists. split; [eassumption|reflexivity].
Qed.

Lemma start_inside : (N.to_nat (start a) < d)%nat.
Proof. pose proof formed as W. unfold well_formed in W. split_all. lia. Qed.

(** What the machine computes, the network does. *)
Theorem network_computes radix x y row op steps :
  computes (lookup (rules a)) (start a) radix x y row op steps ->
  computes (acting (one_hot a d)) (h0 (one_hot a d)) radix x y row op steps.
Proof.
  intros Co u v Hu Hv. destruct (Co u v Hu Hv) as (n & g & x' & c & Le & H & Rest).
  exists n, g, x', c. split; [exact Le|]. split; [|exact Rest].
  refine (proj1 (alike_halts _ _ _ _ _ n g) H). intros i. cbn [h0 one_hot]. rewrite <- (N2Nat.id (start a)) at 1.
  destruct (paired_run i (N.to_nat (start a)) x y (problem radix u v) start_inside); cbn; auto.
Qed.
End Network.
