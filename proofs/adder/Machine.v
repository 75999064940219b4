(** The adder of src/dfst/teachers/adder.py, for all radices at once: its rules, and how a run is reasoned about. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words.
Import ListNotations.
Local Open Scope Z_scope.

(** * The machine: a table of rules in names, and the numbering of the names *)

Inductive phase := Enter | Rise | Mark | Look | Pad | Seek | Take | Add (k : N) | Back | Finish | Halt.
Inductive symbol := Digit (x : N) | Blank | Plus.

Definition glyph (r : N) (s : symbol) : N :=
  match s with Digit x => x | Blank => r | Plus => r + 1 end%N.

Definition name (r : N) (q : phase) : N :=
  match q with
  | Enter => 0 | Rise => 1 | Mark => 2 | Look => 3 | Pad => 4 | Seek => 5 | Take => 6
  | Add k => 7 + k | Back => 7 + r | Finish => 8 + r | Halt => 0 (* of no account: the run is over *)
  end%N.

Definition rule (r : N) (q : phase) (s : symbol) : option (phase * symbol * move) :=
  match q, s with
  | Enter, Blank => Some (Enter, Digit 0, Right)
  | Enter, Digit x => Some (Enter, Digit x, Right)
  | Enter, Plus => Some (Rise, Plus, Left)
  | Rise, Digit x => Some (Mark, Digit x, Up)
  | Mark, Blank => Some (Look, Plus, Down)
  | Look, Digit x => Some (Pad, Digit x, Left)
  | Pad, Digit x => Some (Seek, Digit x, Right)
  | Pad, Blank => Some (Seek, Digit 0, Right)
  | Seek, Digit x => Some (Seek, Digit x, Right)
  | Seek, Plus => Some (Seek, Plus, Right)
  | Seek, Blank => Some (Take, Blank, Left)
  | Take, Digit k => Some (Add k, Blank, Up)
  | Take, Plus => Some (Finish, Blank, Up)
  | Add k, Blank => Some (Add k, Blank, Left)
  | Add k, Plus => Some (Add k, Plus, Down)
  | Add k, Digit x =>
      if (x + k <? r)%N then Some (Back, Digit (x + k), Up) else Some (Add 1, Digit (x + k - r), Left)
  | Back, Blank => Some (Back, Blank, Right)
  | Back, Plus => Some (Mark, Blank, Left)
  | Finish, Blank => Some (Finish, Blank, Left)
  | Finish, Plus => Some (Halt, Blank, Stay)
  | _, _ => None
  end.

Definition symbol_of (r s : N) : option symbol :=
  (if s <? r then Some (Digit s) else if s =? r then Some Blank else if s =? r + 1 then Some Plus else None)%N.

Definition phase_of (r q : N) : option phase :=
  match q with
  | 0 => Some Enter | 1 => Some Rise | 2 => Some Mark | 3 => Some Look | 4 => Some Pad | 5 => Some Seek
  | 6 => Some Take
  | _ => if q <? 7 + r then Some (Add (q - 7))
         else if q =? 7 + r then Some Back else if q =? 8 + r then Some Finish else None
  end%N.

Definition adder (r : N) : policy N := fun q s =>
  match phase_of r q, symbol_of r s with
  | Some p, Some t =>
      match rule r p t with
      | Some (p', t', d) => Some (act (name r p') (glyph r t') d)
      | None => None
      end
  | _, _ => None
  end.

(** Names mean what they should. *)
Definition phase_ok (r : N) (q : phase) : Prop := match q with Add k => (k < r)%N | Halt => False | _ => True end.
Definition symbol_ok (r : N) (s : symbol) : Prop := match s with Digit x => (x < r)%N | _ => True end.

Lemma phase_of_large r q : (7 <= q)%N -> phase_of r q =
  (if q <? 7 + r then Some (Add (q - 7))
   else if q =? 7 + r then Some Back else if q =? 8 + r then Some Finish else None)%N.
Proof.
  intros H. unfold phase_of. destruct q as [|p]; [now elim H|].
  do 3 (destruct p as [p|p|]; try reflexivity; try (now elim H)).
Qed.

Lemma phase_of_name r q : phase_ok r q -> phase_of r (name r q) = Some q.
Proof.
  destruct q; unfold name; intros Hq; try reflexivity; try (now destruct Hq);
    rewrite phase_of_large by lia; simpl in Hq.
  - rewrite (proj2 (N.ltb_lt _ _)) by lia. do 2 f_equal. lia.
  - rewrite (proj2 (N.ltb_ge _ _)), N.eqb_refl by lia. reflexivity.
  - rewrite (proj2 (N.ltb_ge _ _)), (proj2 (N.eqb_neq _ _)), N.eqb_refl by lia. reflexivity.
Qed.

Lemma symbol_of_glyph r s : symbol_ok r s -> symbol_of r (glyph r s) = Some s.
Proof.
  unfold symbol_of. destruct s; unfold glyph, symbol_ok; intros Hs.
  - rewrite (proj2 (N.ltb_lt _ _)) by lia. reflexivity.
  - rewrite (proj2 (N.ltb_ge _ _)), N.eqb_refl by lia. reflexivity.
  - rewrite (proj2 (N.ltb_ge _ _)), (proj2 (N.eqb_neq _ _)), N.eqb_refl by lia. reflexivity.
Qed.

(** * Running backwards from the end: grids only up to [same] *)

(** From the phase q at (x, y) on the grid G (or one that looks the same), the machine halts, and Q holds of the number
    of steps and of the grid left. Every lemma below says: this holds if it holds of what comes next. *)
Definition ends (r : N) (q : phase) (x y : Z) (G : grid) (Q : nat -> grid -> Prop) : Prop :=
  forall g, same g G -> exists k h, halts (adder r) (at_ (name r q) x y g) k h /\ Q k h.

Lemma ends_weaken r q x y G (Q Q' : nat -> grid -> Prop) :
  ends r q x y G Q -> (forall k h, Q k h -> Q' k h) -> ends r q x y G Q'.
Proof. intros H HQ g E. destruct (H g E) as (k & h & Hh & HQk). exists k, h. auto. Qed.

Lemma step_rule r q s q' s' d x y g :
  phase_ok r q -> symbol_ok r s -> g x y = glyph r s -> rule r q s = Some (q', s', d) ->
  step (adder r) (at_ (name r q) x y g) =
    match d with
    | Stay => Halted (put g x y (glyph r s'))
    | _ => Going (at_ (name r q') (x + dx d) (y + dy d) (put g x y (glyph r s')))
    end.
Proof.
  intros Hq Hs E Hr. unfold step, adder; simpl.
  rewrite E, phase_of_name, symbol_of_glyph, Hr by assumption. destruct d; reflexivity.
Qed.

(** One rule. *)
Lemma one r q s q' s' d x y x' y' G G' (Q : nat -> grid -> Prop) :
  rule r q s = Some (q', s', d) -> d <> Stay -> phase_ok r q -> symbol_ok r s -> G x y = glyph r s ->
  x' = x + dx d -> y' = y + dy d -> same (put G x y (glyph r s')) G' ->
  ends r q' x' y' G' (fun k => Q (1 + k)%nat) -> ends r q x y G Q.
Proof.
  intros Hr Hd Hq Hs E -> -> E' H g Eg.
  destruct (H (put g x y (glyph r s'))) as (k & h & Hh & HQ).
  { eapply same_trans; [apply same_put; exact Eg | exact E']. }
  exists (1 + k)%nat, h. split; [|exact HQ].
  eapply halts_later; [|exact Hh].
  erewrite step_rule; [|exact Hq|exact Hs|now rewrite Eg|exact Hr].
  destruct d; trivial. now elim Hd.
Qed.

(** The last rule. *)
Lemma last_one r q s q' s' x y G G' (Q : nat -> grid -> Prop) :
  rule r q s = Some (q', s', Stay) -> phase_ok r q -> symbol_ok r s -> G x y = glyph r s ->
  same (put G x y (glyph r s')) G' -> (forall h, same h G' -> Q 1%nat h) -> ends r q x y G Q.
Proof.
  intros Hr Hq Hs E E' HQ g Eg. exists 1%nat, (put g x y (glyph r s')). split.
  - apply halts_now. rewrite (step_rule r q s q' s' Stay); trivial. now rewrite Eg.
  - apply HQ. eapply same_trans; [apply same_put; exact Eg | exact E'].
Qed.

(** Walking over n cells whose rules keep phase, symbol and direction. *)
Lemma walk r q d y G : d = Left \/ d = Right -> phase_ok r q ->
  forall n x x' (Q : nat -> grid -> Prop), x' = x + dx d * Z.of_nat n ->
  (forall i, 0 <= i < Z.of_nat n ->
     exists s, symbol_ok r s /\ G (x + dx d * i) y = glyph r s /\ rule r q s = Some (q, s, d)) ->
  ends r q x' y G (fun k => Q (n + k)%nat) -> ends r q x y G Q.
Proof.
  intros Hd Hq. induction n as [|n IH]; intros x x' Q -> Hcells H.
  - replace (x + dx d * Z.of_nat 0) with x in H by lia. exact H.
  - destruct (Hcells 0) as (s & Hs & E & Hr); [lia|]. replace (x + dx d * 0) with x in E by lia.
    eapply one; [exact Hr| |exact Hq|exact Hs|exact E|reflexivity|reflexivity|apply put_id; exact E|].
    { destruct Hd; subst d; discriminate. }
    replace (y + dy d) with y by (destruct Hd; subst d; simpl; lia).
    apply IH with (x' := x + dx d * Z.of_nat (S n)); [lia| |exact H].
    intros i Hi. destruct (Hcells (i + 1)) as (s' & ?); [lia|]. exists s'.
    replace (x + dx d + dx d * i) with (x + dx d * (i + 1)) by lia. assumption.
Qed.
