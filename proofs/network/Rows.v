(** A rounded network computed fast: its weights as lists of rows, without the power of two that they have in common.
    Neither the largest score nor what a vector is rounded to depends on that power. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check.
Import ListNotations.
Local Open Scope Z_scope.
Local Open Scope lazy_bool_scope.

(** The rows that A, B and C have at one symbol. *)
Record rows := Rows { rows_A : list (list Z); rows_B : list (list Z); rows_C : list (list Z) }.

Fixpoint dot (row h : list Z) : Z :=
  match row, h with w :: row, n :: h => n * w + dot row h | _, _ => 0 end.

(** A matrix divided by 2^k; none if that is not exact. *)
Definition divided (k : Z) (m d : nat) (M : nat -> nat -> Z) : option (list (list Z)) :=
  if forallb (fun i => forallb (fun j => 2 ^ k * (M i j / 2 ^ k) =? M i j) (seq 0 d)) (seq 0 m)
  then Some (map (fun i => map (fun j => M i j / 2 ^ k) (seq 0 d)) (seq 0 m)) else None.

Definition rows_at (k : Z) (w : network) (x : N) : option rows :=
  match divided k (dimension w) (dimension w) (A w x), divided k (letters w) (dimension w) (B w x),
        divided k 5 (dimension w) (C w x) with
  | Some a, Some b, Some c => Some (Rows a b c)
  | _, _, _ => None
  end.

(** * Rounding: a guess by long division, in which the quotients are small, and a test without division *)

Definition greatest (h : list Z) : Z := fold_right Z.max 0 (map Z.abs h).

Definition rounds_to (top M n v : Z) : bool := Z.abs (2 * (top * n - v * M)) <? M.
Fixpoint all_round (top M : Z) (h v : list Z) : bool :=
  match h, v with
  | [], [] => true
  | n :: h, q :: v => rounds_to top M n q &&& all_round top M h v
  | _, _ => false
  end.

(** n / M for 0 <= n, if the quotient has so many binary digits; the divisors are M times the powers of two. *)
Fixpoint quotient (divisors : list Z) (q n : Z) : Z :=
  match divisors with
  | [] => q
  | d :: divisors => if d <=? n then quotient divisors (2 * q + 1) (n - d) else quotient divisors (2 * q) n
  end.
Definition guess (bits : N) (M : Z) (h : list Z) : list Z :=
  let divisors := map (fun i => Z.shiftl M (Z.of_nat i)) (rev (seq 1 (N.to_nat bits + 2))) in
  let top := 2 ^ Z.of_N bits in
  map (fun n => quotient divisors 0 (2 * top * (n + M) + M) - top) h.
Definition fast_rounded (bits : N) (h : list Z) : option (list Z) :=
  let M := greatest h in
  let v := guess bits M h in
  if (0 <? M) &&& all_round (2 ^ Z.of_N bits) M h v then Some v else None.

(** What a network whose hidden state is rounded does with a vector, at a symbol that has these rows. *)
Definition fast (bits : N) (r : rows) (h : list Z) : option (action (option (list Z))) :=
  let times := map (fun row => dot row h) in
  match largest (times (rows_B r)), largest (times (rows_C r)) with
  | Some s, Some m => Some (act (fast_rounded bits (times (rows_A r))) (N.of_nat s) (move_of m))
  | _, _ => None
  end.

(** * Sums *)

Lemma total_first n f : total (S n) f = f O + total n (fun j => f (S j)).
Proof.
  induction n as [|n IH]; [cbn; lia|]. change (total (S (S n)) f) with (total (S n) f + f (S n)). rewrite IH. cbn. lia.
Qed.

Lemma total_zero n f : (forall j, f j = 0) -> total n f = 0.
Proof. intros Z. induction n; cbn [total]; [reflexivity|]. rewrite IHn, Z. reflexivity. Qed.

Lemma dot_total : forall d row h, length row = d -> dot row h = total d (fun j => nth j row 0 * nth j h 0).
Proof.
  induction d as [|d IH]; intros [|w row] h L; try discriminate; [reflexivity|]. injection L as L.
  destruct h as [|n h]; [|rewrite total_first; cbn [dot nth]; rewrite (IH row h L); lia].
  cbn [dot]. symmetry. apply total_zero. intros [|j]; cbn [nth]; lia.
Qed.

Lemma total_times c n f : total n (fun j => c * f j) = c * total n f.
Proof. induction n; cbn [total]; [lia|]. rewrite IHn. lia. Qed.

Lemma nth_map_upto {B} (f : nat -> B) e n j : (j < n)%nat -> nth j (map f (seq 0 n)) e = f j.
Proof.
  intros Lt. rewrite (nth_indep _ e (f O)) by (rewrite map_length, seq_length; exact Lt).
  rewrite map_nth, seq_nth by exact Lt. reflexivity.
Qed.

Lemma total_same n f g : (forall j, (j < n)%nat -> f j = g j) -> total n f = total n g.
Proof. induction n; intros E; cbn [total]; [reflexivity|]. rewrite IHn, E by auto. reflexivity. Qed.

Lemma product_divided k m d M h l : divided k m d M = Some l ->
  product m d M h = map (Z.mul (2 ^ k)) (map (fun row => dot row h) l).
Proof.
  unfold divided. intros E. destruct (forallb _ _) eqn:F; [|discriminate]. injection E as <-.
  rewrite forallb_forall in F. unfold product. rewrite !map_map. apply map_ext_in. intros i Ii.
  specialize (F i Ii). rewrite forallb_forall in F.
  rewrite (dot_total d) by now rewrite map_length, seq_length. rewrite <- total_times. apply total_same. intros j Lt.
  rewrite nth_map_upto by exact Lt. specialize (F j ltac:(apply in_seq; lia)). apply Z.eqb_eq in F.
  rewrite Z.mul_assoc, F. reflexivity.
Qed.

Lemma find_same {X} (f g : X -> bool) l : (forall i, f i = g i) -> find f l = find g l.
Proof. intros E. induction l as [|i l IH]; cbn [find]; [reflexivity|]. now rewrite E, IH. Qed.

(** * A positive factor changes nothing *)

Section Factor.
Variable c : Z.
Hypothesis positive : 0 < c.

Lemma nth_times l i : nth i (map (Z.mul c) l) 0 = c * nth i l 0.
Proof. rewrite <- (Z.mul_0_r c) at 1. apply map_nth. Qed.

Lemma largest_times l : largest (map (Z.mul c) l) = largest l.
Proof.
  unfold largest. rewrite map_length. apply find_same. intros i.
  induction (seq 0 (length l)) as [|j s IH]; [reflexivity|]. cbn [forallb]. rewrite IH, !nth_times. f_equal. f_equal.
  destruct (Z.ltb_spec (nth j l 0) (nth i l 0)), (Z.ltb_spec (c * nth j l 0) (c * nth i l 0)); nia.
Qed.

Lemma greatest_times l : greatest (map (Z.mul c) l) = c * greatest l.
Proof.
  unfold greatest in *. induction l as [|n l IH]; cbn [map fold_right]; [lia|].
  rewrite IH, Z.abs_mul, (Z.abs_eq c), Z.mul_max_distr_nonneg_l by lia. reflexivity.
Qed.

Lemma greatest_not_negative l : 0 <= greatest l.
Proof. unfold greatest. induction l; cbn [map fold_right]; lia. Qed.

Lemma rounded_times bits l : rounded bits (map (Z.mul c) l) = rounded bits l.
Proof.
  unfold rounded. fold (greatest l). fold (greatest (map (Z.mul c) l)). rewrite greatest_times.
  pose proof (greatest_not_negative l) as P. set (M := greatest l) in *. clearbody M. set (t := 2 ^ Z.of_N bits).
  destruct (Z.eqb_spec M 0) as [->|Ne]; [now rewrite Z.mul_0_r|].
  destruct (Z.eqb_spec (c * M) 0) as [Z0|_]; [nia|]. cbn [orb].
  assert (S : forall n, 2 * t * (c * n) + c * M = (2 * t * n + M) * c) by (intros; ring).
  replace (2 * (c * M)) with (2 * M * c) by ring.
  assert (E : existsb (fun n => (2 * t * n + c * M) mod (2 * M * c) =? 0) (map (Z.mul c) l) =
              existsb (fun n => (2 * t * n + M) mod (2 * M) =? 0) l).
  { induction l as [|n l' IH]; [reflexivity|]. cbn [map existsb]. rewrite IH, S.
    f_equal. rewrite Z.mul_mod_distr_r by lia.
    destruct (Z.eqb_spec ((2 * t * n + M) mod (2 * M)) 0) as [->|Nz], (Z.eqb_spec ((2 * t * n + M) mod (2 * M) * c) 0);
      try reflexivity; nia. }
  rewrite E. destruct (existsb _ l); [reflexivity|]. f_equal. rewrite map_map. apply map_ext. intros n.
  rewrite S. apply Z.div_mul_cancel_r; lia.
Qed.
End Factor.

(** * The fast step is the step *)

Lemma rounds_to_spec top M n v : 0 < M -> rounds_to top M n v = true ->
  (2 * top * n + M) / (2 * M) = v /\ (2 * top * n + M) mod (2 * M) <> 0.
Proof.
  unfold rounds_to. intros P E. apply Z.ltb_lt in E.
  assert (R : 0 < 2 * (top * n - v * M) + M < 2 * M) by lia.
  split; [symmetry; apply Z.div_unique_pos with (2 * (top * n - v * M) + M); lia|].
  rewrite <- (Z.mod_unique_pos _ (2 * M) v (2 * (top * n - v * M) + M)); lia.
Qed.

Lemma fast_rounded_spec bits h v : fast_rounded bits h = Some v -> rounded bits h = Some v.
Proof.
  unfold fast_rounded, rounded. fold (greatest h). set (M := greatest h). set (top := 2 ^ Z.of_N bits).
  generalize (guess bits M h). intros g E. destruct (Z.ltb_spec 0 M) as [P|]; [|discriminate].
  destruct (all_round top M h g) eqn:All; [|discriminate]. injection E as ->.
  destruct (Z.eqb_spec M 0); [lia|]. cbn [orb]. clearbody M.
  enough (existsb (fun n => (2 * top * n + M) mod (2 * M) =? 0) h = false /\
          map (fun n => (2 * top * n + M) / (2 * M)) h = v) as [-> ->] by reflexivity.
  revert v All. induction h as [|n' h IH]; intros [|q v] All; cbn [all_round] in All; try discriminate; [auto|].
  destruct (rounds_to top M n' q) eqn:R; [|discriminate]. apply (rounds_to_spec _ _ _ _ P) in R as [Q Nz].
  destruct (IH v All) as [Ex Ma]. cbn [existsb map]. rewrite Ex, Ma, Q. split; [|reflexivity].
  now rewrite (proj2 (Z.eqb_neq _ _) Nz).
Qed.

Theorem fast_rounding k bits w x r h b : 0 <= k -> rows_at k w x = Some r -> fast bits r h = Some b ->
  exists next, rounding bits w (Some h) x = Some (act next (written b) (going b)) /\
    forall v, following b = Some v -> next = Some v.
Proof.
  intros Pos E. unfold rows_at in E.
  destruct (divided k (dimension w) (dimension w) (A w x)) as [a|] eqn:EA; [|discriminate].
  destruct (divided k (letters w) (dimension w) (B w x)) as [b'|] eqn:EB; [|discriminate].
  destruct (divided k 5 (dimension w) (C w x)) as [c|] eqn:EC; [|discriminate]. injection E as <-.
  pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) Pos) as P.
  unfold rounding, acting, fast. cbn [rows_A rows_B rows_C].
  rewrite (product_divided _ _ _ _ h _ EA), (product_divided _ _ _ _ h _ EB), (product_divided _ _ _ _ h _ EC).
  rewrite !largest_times by exact P.
  destruct (largest (map (fun row => dot row h) b')); [|discriminate].
  destruct (largest (map (fun row => dot row h) c)); [|discriminate]. intros F. injection F as <-.
  cbn [following written going]. rewrite rounded_times by exact P.
  eexists. split; [reflexivity|]. intros v. apply fast_rounded_spec.
Qed.
