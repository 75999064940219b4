(** Lemma 3 of docs/certificates.md: from a shape, a step leads into one of its exact successors. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check checker.Shapes.
Import ListNotations.

Lemma put_here g x y w : put g x y w x y = w.
Proof. unfold put. rewrite !Z.eqb_refl. reflexivity. Qed.

Lemma put_elsewhere g x y w x' y' : x' <> x \/ y' <> y -> put g x y w x' y' = g x' y'.
Proof.
  unfold put. intros H. destruct (Z.eqb_spec x' x); [|reflexivity].
  destruct (Z.eqb_spec y' y); [|reflexivity]. lia.
Qed.

(** Whether the head is inside of the rows of a place. *)
Definition on_rows (p : place) : bool :=
  match p with Anywhere => true | At row _ col _ => Nat.ltb row (length col) end.

Section World.
Variables (void : N) (lowest : Z) (rows : nat).
Notation holds := (holds void lowest).
Notation stands := (stands void lowest).

Lemma after_sound p q s x y g w m l :
  on_rows p = true -> stands p x y g -> m <> Stay -> after void rows p q s w m = Some l ->
  exists d, In d l /\ tq d = q /\ lq d = s /\ stands (spot d) (x + dx m) (y + dy m) (put g x y w).
Proof.
  intros On Ga Ns E. destruct Ga as [x y g|row left C right x y g Gy Gl Gc Gr].
  { exists (Shape q s Anywhere). destruct m; try congruence; injection E as <-; cbn; repeat split; auto; constructor. }
  cbn [on_rows] in On. apply Nat.ltb_lt in On.
  set (C' := set_nth row (bit w) C).
  assert (W : within void lowest C' (put g x y w x)).
  { apply within_set with (c := g x); auto; rewrite <- Gy.
    - apply bit_holds, put_here.
    - intros. apply put_elsewhere. auto. }
  assert (Wl : forall h, holds h (fun i => g (x - 1 - Z.of_nat i)%Z) ->
                    holds h (fun i => put g x y w (x - 1 - Z.of_nat i)%Z)).
  { intros h H. apply (holds_ext _ _ _ _ H). intros. symmetry. apply put_elsewhere. lia. }
  assert (Wr : forall h, holds h (fun i => g (x + 1 + Z.of_nat i)%Z) ->
                    holds h (fun i => put g x y w (x + 1 + Z.of_nat i)%Z)).
  { intros h H. apply (holds_ext _ _ _ _ H). intros. symmetry. apply put_elsewhere. lia. }
  apply Wl in Gl. apply Wr in Gr. clear Wl Wr.
  destruct m; try congruence; cbn [after] in E; fold C' in E.
  - (* Up *) destruct (Nat.ltb _ _); [|discriminate]. injection E as <-.
    eexists. split; [left; reflexivity|]. cbn [dx dy tq lq spot]. rewrite Z.add_0_r.
    repeat split; auto. constructor; auto. lia.
  - (* Down *) destruct row as [|row]; [discriminate|]. injection E as <-.
    eexists. split; [left; reflexivity|]. cbn [dx dy tq lq spot]. rewrite Z.add_0_r.
    repeat split; auto. constructor; auto. lia.
  - (* Left *) injection E as <-.
    destruct (pop_sound _ _ rows _ _ Gl) as (D & h & I & WD & Wh).
    eexists. split; [apply in_map; exact I|].
    cbn [dx dy fst snd tq lq spot]. rewrite Z.add_0_r. repeat split; auto. constructor; auto.
    + apply (holds_ext _ _ _ _ Wh). intros. f_equal. lia.
    + revert WD. apply within_ext. intros. f_equal. lia.
    + apply holds_last.
      * revert W. apply within_ext. intros. f_equal. lia.
      * apply (holds_ext _ _ _ _ Gr). intros. f_equal. lia.
  - (* Right *) injection E as <-.
    destruct (pop_sound _ _ rows _ _ Gr) as (D & h & I & WD & Wh).
    eexists. split; [apply in_map; exact I|].
    cbn [dx dy fst snd tq lq spot]. rewrite Z.add_0_r. repeat split; auto. constructor; auto.
    + apply holds_last.
      * revert W. apply within_ext. intros. f_equal. lia.
      * apply (holds_ext _ _ _ _ Gl). intros. f_equal. lia.
    + revert WD. apply within_ext. intros. f_equal. lia.
    + apply (holds_ext _ _ _ _ Wh). intros. f_equal. lia.
Qed.

(** What the head sees is among the symbols that are looked at. *)
Lemma sees k c x y g : on_rows (spot c) = true -> stands (spot c) x y g -> (g x y < k)%N -> In (g x y) (seen k c).
Proof.
  intros On Ga Lt. unfold seen. destruct Ga as [|row left C right x y g Gy _ Gc _].
  - apply in_upto, Lt.
  - cbn [on_rows] in On. apply Nat.ltb_lt in On. apply symbols_complete.
    specialize (Gc y). unfold allowed in Gc. destruct (Z.ltb_spec y lowest); [lia|].
    replace (Z.to_nat (y - lowest)) with row in Gc by lia.
    rewrite (nth_indep _ _ 0%N On) in Gc. exact Gc.
Qed.
End World.
