(** Steps and walks of the multiplier on a grid of three rows. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement multiplier.Machine multiplier.Weights.
Import ListNotations.
Local Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.
Set Default Proof Using "All". (* every lemma takes all variables of its section: other files can name them *)

(** * The run

    The lemmas read backwards: if the rest of the run, from the end of a phase on, ends well, so does the run from its
    beginning. No equality of grids as functions is needed: [ends] is about all grids that are the same. *)

(** The side conditions of a step that computation decides. *)
Ltac easy_moves := try (cbn; lia); try discriminate.

Section Run.
Variables (r : N) (m : policy N) (number : named -> N).
Hypothesis Hr : (2 <= r)%N.
Hypothesis Him : implements m number r.

(** From state s at (x, y) on the grid g, or one that is the same, m halts after i steps, on a grid such that h. *)
Definition ends (i : nat) (s : named) (x y : Z) (g : grid) (h : grid -> Prop) : Prop :=
  forall g', same g' g -> exists g'', halts m (at_ (number s) x y g') i g'' /\ h g''.

Lemma ends_same i s x y g g' h : same g g' -> ends i s x y g' h -> ends i s x y g h.
Proof. intros E H k K. apply H. intros u v. rewrite K. apply E. Qed.

Lemma ends_go i s x y g h s' w d :
  delta r s (g x y) = Some (s', w, d) -> d <> Stay ->
  ends i s' (x + dx d) (y + dy d) (put g x y w) h -> ends (S i) s x y g h.
Proof.
  intros E ND H g' K.
  destruct (H (put g' x y w)) as (g'' & Hh & Hs).
  { intros u v. unfold put. destruct (_ && _); [reflexivity | apply K]. }
  exists g''. split; [| exact Hs].
  eapply halts_later; [| exact Hh].
  pose proof (Him s (g x y)) as F. rewrite E in F. unfold step. cbn [state cells hx hy].
  rewrite (K x y). destruct d; try congruence; cbn [follows] in F; rewrite F; reflexivity.
Qed.

Lemma ends_halt s x y g (h : grid -> Prop) s' w :
  delta r s (g x y) = Some (s', w, Stay) -> (forall g', same g' (put g x y w) -> h g') -> ends 1 s x y g h.
Proof.
  intros E H g' K. exists (put g' x y w). split.
  - apply halts_now. pose proof (Him s (g x y)) as F. rewrite E in F. destruct F as [f F].
    unfold step. cbn [state cells hx hy]. rewrite (K x y), F. reflexivity.
  - apply H. intros u v. unfold put. destruct (_ && _); [reflexivity | apply K].
Qed.

(** Grids of three rows: 0, -1, -2. *)
Definition none : Z -> N := fun _ => r.
Definition rows (p q t : Z -> N) : grid :=
  fun x y => if y =? 0 then p x else if y =? -1 then q x else if y =? -2 then t x else r.

Lemma rows_same p q t p' q' t' :
  (forall z, p z = p' z) -> (forall z, q z = q' z) -> (forall z, t z = t' z) -> same (rows p q t) (rows p' q' t').
Proof. intros Hp Hq Ht x y. unfold rows. destruct (y =? 0), (y =? -1), (y =? -2); auto. Qed.

(** One step in each of the rows: seeing [sym] it writes w, which turns the row into p'. *)
Lemma go0 sym p' i s x p q t h s' w d x' y' :
  p x = sym -> delta r s sym = Some (s', w, d) -> d <> Stay ->
  (forall z, p' z = if z =? x then w else p z) -> x' = x + dx d -> y' = dy d ->
  ends i s' x' y' (rows p' q t) h -> ends (S i) s x 0 (rows p q t) h.
Proof.
  intros E T ND W -> -> H. apply (ends_go i s x 0 _ h s' w d); auto.
  - unfold rows. cbn. congruence.
  - eapply ends_same; [| exact H]. intros u v. unfold put, rows. specialize (W u).
    destruct (Z.eqb_spec v 0); destruct (Z.eqb_spec u x); cbn [andb]; congruence.
Qed.

Lemma go1 sym q' i s x p q t h s' w d x' y' :
  q x = sym -> delta r s sym = Some (s', w, d) -> d <> Stay ->
  (forall z, q' z = if z =? x then w else q z) -> x' = x + dx d -> y' = -1 + dy d ->
  ends i s' x' y' (rows p q' t) h -> ends (S i) s x (-1) (rows p q t) h.
Proof.
  intros E T ND W -> -> H. apply (ends_go i s x (-1) _ h s' w d); auto.
  - unfold rows. cbn. congruence.
  - eapply ends_same; [| exact H]. intros u v. unfold put, rows. specialize (W u).
    destruct (Z.eqb_spec v 0), (Z.eqb_spec v (-1)); destruct (Z.eqb_spec u x); cbn [andb]; try lia; congruence.
Qed.

Lemma go2 sym t' i s x p q t h s' w d x' y' :
  t x = sym -> delta r s sym = Some (s', w, d) -> d <> Stay ->
  (forall z, t' z = if z =? x then w else t z) -> x' = x + dx d -> y' = -2 + dy d ->
  ends i s' x' y' (rows p q t') h -> ends (S i) s x (-2) (rows p q t) h.
Proof.
  intros E T ND W -> -> H. apply (ends_go i s x (-2) _ h s' w d); auto.
  - unfold rows. cbn. congruence.
  - eapply ends_same; [| exact H]. intros u v. unfold put, rows. specialize (W u).
    destruct (Z.eqb_spec v 0), (Z.eqb_spec v (-1)), (Z.eqb_spec v (-2)); destruct (Z.eqb_spec u x); cbn [andb];
      try lia; congruence.
Qed.

(** One step that leaves the grid as it is. *)
Lemma pass i s x y g h s' d x' y' :
  delta r s (g x y) = Some (s', g x y, d) -> d <> Stay -> x' = x + dx d -> y' = y + dy d ->
  ends i s' x' y' g h -> ends (S i) s x y g h.
Proof.
  intros T ND -> -> H. apply (ends_go i s x y g h s' (g x y) d); auto.
  eapply ends_same; [| exact H]. intros u v. unfold put.
  destruct (Z.eqb_spec u x), (Z.eqb_spec v y); cbn [andb]; congruence.
Qed.

(** Walks over k cells. *)
Lemma walk_right (k : nat) i s x y g h :
  (forall z, x <= z < x + k -> delta r s (g z y) = Some (s, g z y, Right)) ->
  ends i s (x + k) y g h -> ends (k + i) s x y g h.
Proof.
  revert x. induction k; intros x W H.
  - replace (x + 0%nat) with x in H by lia. exact H.
  - apply pass with (s' := s) (d := Right) (x' := x + 1) (y' := y); easy_moves.
    + apply W. lia.
    + apply IHk. { intros. apply W. lia. } replace (x + 1 + k) with (x + S k) by lia. exact H.
Qed.

Lemma walk_left (k : nat) i s x y g h :
  (forall z, x - k < z <= x -> delta r s (g z y) = Some (s, g z y, Left)) ->
  ends i s (x - k) y g h -> ends (k + i) s x y g h.
Proof.
  revert x. induction k; intros x W H.
  - replace (x - 0%nat) with x in H by lia. exact H.
  - apply pass with (s' := s) (d := Left) (x' := x - 1) (y' := y); easy_moves.
    + apply W. lia.
    + apply IHk. { intros. apply W. lia. } replace (x - 1 - k) with (x - S k) by lia. exact H.
Qed.

(** The digits of F of weights lo .. hi-1, the weight 0 belonging to column e, over [rest]. *)
Definition part (e lo hi : Z) (F rest : Z -> N) : Z -> N :=
  fun z => if (lo <=? e - z) && (e - z <? hi) then F (e - z) else rest z.
End Run.

(** * Tactics for what computation decides *)

(** Writes the number of steps in another way. *)
Ltac steps k := match goal with |- ends _ _ ?i _ _ _ _ _ => replace i with k by lia end.
(** Splits all comparisons of columns. *)
Ltac split_columns :=
  repeat match goal with
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b); cbn [andb]; try (exfalso; lia)
  | |- context [?a <? ?b] => destruct (Z.ltb_spec a b); cbn [andb]; try (exfalso; lia)
  | |- context [?a =? ?b] => destruct (Z.eqb_spec a b); cbn [andb]; try (exfalso; lia)
  end.
(** Decides what a row has in a column ... *)
Ltac look := unfold part, none, set; split_columns; auto; try (f_equal; lia); auto with zarith.
(** ... and in a grid: the cell that the rule to be looked up is about has the symbol v. *)
Ltac see v :=
  match goal with
  | |- context [rows ?r ?p ?q ?t ?x ?y] => replace (rows r p q t x y) with v by (unfold rows; cbn [Z.eqb Pos.eqb]; look)
  end.
(** Two rows are the same. *)
Ltac row := let z := fresh "z" in intro z; look.
(** Looks a rule up. *)
Ltac rule := unfold delta;
  repeat match goal with
  | |- context [(?a <? ?b)%N] => destruct (N.ltb_spec a b); cbn [andb]; try (exfalso; lia)
  | |- context [(?a <=? ?b)%N] => destruct (N.leb_spec a b); cbn [andb]; try (exfalso; lia)
  | |- context [(?a =? ?b)%N] => destruct (N.eqb_spec a b); cbn [andb]; try (exfalso; lia)
  end; reflexivity.
