(** Fewer dimensions are enough: as many as there are states with a rule for one and the same symbol. State q is the
    vector of the powers of q, and rows of weights are polynomials that have the right values at these states: Lagrange
    interpolation, multiplied by a positive number so that all is whole, which no score minds. Where the machine has no
    rule the network may do anything, so they are equal up to where the machine is stuck. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check checker.Shapes checker.Runs checker.Sound.
From Dfst Require Import network.OneHot network.Rows.
Import ListNotations.
Local Open Scope Z_scope.

(** * Polynomials: coefficients, the lowest first *)

Definition poly := list Z.
Fixpoint eval (p : poly) (t : Z) : Z := match p with [] => 0 | c :: p => c + t * eval p t end.
Fixpoint plus (p q : poly) : poly :=
  match p, q with [], _ => q | _, [] => p | a :: p, b :: q => a + b :: plus p q end.
Definition scale (c : Z) (p : poly) : poly := map (Z.mul c) p.

Lemma eval_plus t : forall p q, eval (plus p q) t = eval p t + eval q t.
Proof. induction p as [|a p IH]; intros [|b q]; cbn [plus eval]; try lia. rewrite IH. ring. Qed.
Lemma eval_scale c t p : eval (scale c p) t = c * eval p t.
Proof. unfold scale. induction p as [|a p IH]; cbn [map eval]; [ring|]. rewrite IH. ring. Qed.
Lemma length_plus : forall p q, length (plus p q) = Nat.max (length p) (length q).
Proof. induction p as [|a p IH]; intros [|b q]; cbn [plus length]; auto. rewrite IH. reflexivity. Qed.
Lemma length_scale c p : length (scale c p) = length p.
Proof. apply map_length. Qed.

(** p times (t - r), and the product of these for all roots. *)
Definition with_root (r : N) (p : poly) : poly := plus (0 :: p) (scale (- Z.of_N r) p).
Definition vanishing (roots : list N) : poly := fold_right with_root [1] roots.

Lemma eval_root r p t : eval (with_root r p) t = (t - Z.of_N r) * eval p t.
Proof. unfold with_root. rewrite eval_plus, eval_scale. cbn [eval]. ring. Qed.

Lemma eval_vanishing roots q : In q roots <-> eval (vanishing roots) (Z.of_N q) = 0.
Proof.
  induction roots as [|r roots IH]; cbn [vanishing fold_right In]; [cbn [eval]; lia|].
  fold (vanishing roots). rewrite eval_root, IH. split; intros H.
  - destruct H as [->|H]; [ring|]. rewrite H. ring.
  - apply Z.mul_eq_0 in H as [H|H]; [left; lia|auto].
Qed.

Lemma length_vanishing roots : length (vanishing roots) = S (length roots).
Proof.
  induction roots as [|r roots IH]; [reflexivity|]. cbn [vanishing fold_right]. fold (vanishing roots).
  unfold with_root. rewrite length_plus, length_scale. cbn [length]. rewrite IH. lia.
Qed.

(** * Interpolation *)

Section Interpolation.
Variable l : list N.

Definition other (q : N) : poly := vanishing (remove N.eq_dec q l). (* zero at all others *)
Definition itself (q : N) : Z := eval (other q) (Z.of_N q).
Definition factor : Z := fold_right (fun q c => Z.abs (itself q) * c) 1 l.
Definition through (f : N -> Z) : poly :=
  fold_right (fun q p => plus (scale (f q * (factor / itself q)) (other q)) p) [] l.

Lemma itself_not_zero q : itself q <> 0.
Proof. unfold itself, other. intros E. apply eval_vanishing in E. exact (remove_In _ _ _ E). Qed.

Lemma factor_positive : 0 < factor.
Proof.
  unfold factor. induction l as [|q l' IH]; cbn [fold_right]; [lia|]. pose proof (itself_not_zero q). nia.
Qed.

Lemma itself_divides q : In q l -> (itself q | factor).
Proof.
  unfold factor. induction l as [|r l' IH]; intros I; [destruct I|]. cbn [fold_right].
  destruct I as [->|I]; [apply Z.divide_mul_l, Z.divide_abs_r, Z.divide_refl|apply Z.divide_mul_r, IH, I].
Qed.

Lemma eval_through_part f q : forall l', NoDup l' -> (forall r, In r l' -> In r l) -> In q l ->
  eval (fold_right (fun q p => plus (scale (f q * (factor / itself q)) (other q)) p) [] l') (Z.of_N q) =
  if in_dec N.eq_dec q l' then f q * factor else 0.
Proof.
  induction l' as [|r l' IH]; intros Nd Sub I; [reflexivity|]. inversion Nd as [|? ? Nr Nd']; subst.
  cbn [fold_right]. rewrite eval_plus, eval_scale, IH; auto using in_cons.
  destruct (N.eq_dec r q) as [->|Ne].
  - destruct (in_dec N.eq_dec q l') as [C|_]; [contradiction|].
    destruct (in_dec N.eq_dec q (q :: l')) as [_|C]; [|destruct C; now left].
    fold (itself q). destruct (itself_divides q I) as [k E]. rewrite E, Z.div_mul by apply itself_not_zero. ring.
  - replace (eval (other r) (Z.of_N q)) with 0
      by (symmetry; apply eval_vanishing, in_in_remove; auto).
    destruct (in_dec N.eq_dec q l') as [C|C], (in_dec N.eq_dec q (r :: l')) as [C'|C']; try ring;
      exfalso; cbn [In] in *; tauto.
Qed.

Lemma eval_through f q : NoDup l -> In q l -> eval (through f) (Z.of_N q) = f q * factor.
Proof.
  intros Nd I. unfold through. rewrite eval_through_part by auto. now destruct (in_dec N.eq_dec q l).
Qed.

Lemma length_through f : (length (through f) <= length l)%nat.
Proof.
  unfold through. enough (forall l', (forall r, In r l' -> In r l) ->
    (length (fold_right (fun q p => plus (scale (f q * (factor / itself q)) (other q)) p) [] l') <= length l)%nat)
    by auto.
  induction l' as [|q l' IH]; intros Sub; cbn [fold_right length]; [lia|].
  rewrite length_plus, length_scale. unfold other at 1. rewrite length_vanishing.
  pose proof (remove_length_lt N.eq_dec l q (Sub q (or_introl eq_refl))).
  specialize (IH (fun r I => Sub r (or_intror I))). lia.
Qed.
End Interpolation.

(** * The network *)

(** The states that have a rule for a symbol, and what their rules say. *)
Definition having (t : table) (x : N) : list N :=
  filter (fun q => match lookup t q x with Some _ => true | None => false end) (upto (N.of_nat (length t))).
Definition told (t : table) (x : N) (say : action N -> Z) : poly :=
  through (having t x) (fun q => match lookup t q x with Some a => say a | None => 0 end).

(** The vector of a state, times c. *)
Definition powers (d : nat) (c : Z) (q : N) : list Z := map (fun j => c * Z.of_N q ^ Z.of_nat j) (seq 0 d).

Definition fewer (a : agent) (d : nat) : network :=
  let t := rules a in
  net d (N.to_nat (symbols a))
    (fun x i j => nth j (told t x (fun r => Z.of_N (following r) ^ Z.of_nat i)) 0)
    (fun x i j => nth j (told t x (fun r => indicator (i =? N.to_nat (written r))%nat)) 0)
    (fun x i j => nth j (told t x (fun r => indicator (i =? move_no (going r))%nat)) 0)
    (powers d 1 (start a)).

Lemma total_eval d t : forall p, (length p <= d)%nat -> total d (fun j => nth j p 0 * t ^ Z.of_nat j) = eval p t.
Proof.
  induction d as [|d IH]; intros [|c p] Le; cbn [length] in Le; try lia; [reflexivity| |].
  - apply total_zero. intros [|j]; reflexivity.
  - rewrite total_first. cbn [nth eval]. rewrite <- IH, <- total_times by lia. f_equal; [cbn; ring|].
    apply total_same. intros j _. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Lemma having_in t q x a : lookup t q x = Some a -> In q (having t x).
Proof.
  intros E. apply filter_In. rewrite E. split; [|reflexivity]. apply in_upto.
  destruct (N.lt_ge_cases q (N.of_nat (length t))) as [Lt|Ge]; [exact Lt|exfalso].
  unfold lookup in E. rewrite (nth_overflow t) in E by lia. destruct (N.to_nat x); discriminate.
Qed.

Lemma having_distinct t x : NoDup (having t x).
Proof.
  apply NoDup_filter, (NoDup_map_inv N.to_nat). unfold upto.
  rewrite map_map, (map_ext _ (fun i => i)), map_id by (intros; apply Nat2N.id). apply seq_NoDup.
Qed.

(** Rows give what the rule of the state says, times a positive number. *)
Lemma product_told t x q a d c rows say : lookup t q x = Some a -> (length (having t x) <= d)%nat ->
  product rows d (fun i j => nth j (told t x (say i)) 0) (powers d c q) =
  map (fun i => c * factor (having t x) * say i a) (seq 0 rows).
Proof.
  intros E Le. apply map_ext. intros i.
  rewrite (total_same d _ (fun j => c * (nth j (told t x (say i)) 0 * Z.of_N q ^ Z.of_nat j))).
  2: { intros j Lt. unfold powers. rewrite nth_map_upto by exact Lt. ring. }
  rewrite total_times, total_eval.
  - unfold told. rewrite eval_through; [rewrite E; ring|apply having_distinct|eapply having_in, E].
  - unfold told. etransitivity; [apply length_through|exact Le].
Qed.

Lemma largest_told c n w (say : nat -> Z) : 0 < c -> (w < n)%nat -> (forall i, say i = indicator (i =? w)%nat) ->
  largest (map (fun i => c * say i) (seq 0 n)) = Some w.
Proof.
  intros P Lt E. rewrite <- (largest_one n w Lt), <- (largest_times c P (unit n w)). f_equal.
  unfold unit. rewrite map_map. apply map_ext. intros i. now rewrite E.
Qed.

Section Machine.
Variables (a : agent) (d : nat).
Hypothesis formed : well_formed a = true.
Hypothesis room : forall x, (length (having (rules a) x) <= d)%nat.

Lemma fewer_acts c q x r : 0 < c -> lookup (rules a) q x = Some r -> exists c', 0 < c' /\
  acting (fewer a d) (powers d c q) x = Some (act (powers d c' (following r)) (written r) (going r)).
Proof.
  intros P E. pose proof (factor_positive (having (rules a) x)) as P'.
  exists (c * factor (having (rules a) x)). split; [nia|].
  unfold acting, fewer. cbn [letters dimension A B C].
  rewrite (product_told _ _ _ _ _ _ _ (fun i r => Z.of_N (following r) ^ Z.of_nat i) E (room x)),
    (product_told _ _ _ _ _ _ _ (fun i r => indicator (i =? N.to_nat (written r))%nat) E (room x)),
    (product_told _ _ _ _ _ _ _ (fun i r => indicator (i =? move_no (going r))%nat) E (room x)).
  rewrite (largest_told _ _ (N.to_nat (written r))), (largest_told _ _ (move_no (going r)));
    try reflexivity; try nia.
  - now rewrite N2Nat.id, move_of_no.
  - destruct (going r); cbn; lia.
  - pose proof (well_formed_writes a formed _ _ _ E). lia.
Qed.

Lemma fewer_run : forall n c q x y g, 0 < c -> run (lookup (rules a)) n (at_ q x y g) <> Stuck ->
  alike (run (lookup (rules a)) n (at_ q x y g)) (run (acting (fewer a d)) n (at_ (powers d c q) x y g)).
Proof.
  induction n as [|n IH]; intros c q x y g P Ns; [cbn; auto|]. cbn [run] in *. unfold step in *.
  cbn [state cells hx hy] in *. destruct (lookup (rules a) q (g x y)) as [r|] eqn:E; [|congruence].
  destruct (fewer_acts c q (g x y) r P E) as (c' & P' & ->). cbn [following written going] in *.
  destruct (going r); [now apply IH..|reflexivity].
Qed.

(** The network makes the machine's steps, up to where the machine is stuck. *)
Theorem fewer_until_stuck w n : run (lookup (rules a)) n (begins a w) <> Stuck ->
  alike (run (lookup (rules a)) n (begins a w)) (run (acting (fewer a d)) n (input a (h0 (fewer a d)) w)).
Proof. intros Ns. unfold begins, input. apply fewer_run; [lia|exact Ns]. Qed.
End Machine.
