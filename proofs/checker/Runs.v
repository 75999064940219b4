(** Teacher and learner together: while their joint configuration lies in the members, they act alike. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check checker.Shapes checker.Steps.
Import ListNotations.

(** * Running and halting *)

(** [halts] and [run] say the same. *)
Lemma halts_run {Q} (m : policy Q) c n g : halts m c n g ->
  run m n c = Halted g /\ forall i, i < n -> exists d, run m i c = Going d.
Proof.
  induction 1 as [c g E|c c' n g E H [IH1 IH2]]; cbn [run]; rewrite E.
  - split; [reflexivity|]. intros [|i] Lt; [cbn; eauto|lia].
  - split; [exact IH1|]. intros [|i] Lt; cbn [run]; [eauto|]. rewrite E. apply IH2. lia.
Qed.

Lemma run_halts {Q} (m : policy Q) g : forall n c,
  run m n c = Halted g -> exists i, i <= n /\ halts m c i g.
Proof.
  induction n as [|n IH]; intros c E; [discriminate|]. cbn [run] in E.
  destruct (step m c) as [c'|h|] eqn:St; try discriminate.
  - destruct (IH c' E) as (i & Le & H). exists (S i). split; [lia|]. eapply halts_later; eauto.
  - injection E as ->. exists 1. split; [lia|]. now apply halts_now.
Qed.

(** Policies that are alike after any number of steps halt at the same step and leave the same grid. *)
Lemma alike_halts {Q Q'} (m : policy Q) (m' : policy Q') c c' :
  (forall n, alike (run m n c) (run m' n c')) -> forall n g, halts m c n g <-> halts m' c' n g.
Proof.
  enough (Half : forall {P P'} (m : policy P) (m' : policy P') c c',
    (forall n, alike (run m n c) (run m' n c')) -> forall n g, halts m c n g -> halts m' c' n g).
  { intros Al n g. split; apply Half; [exact Al|]. intros i. specialize (Al i).
    destruct (run m i c), (run m' i c'); cbn in *; try (repeat split; symmetry; apply Al); try symmetry; auto. }
  clear. intros P P' m m' c c' Al n g H. destruct (halts_run _ _ _ _ H) as [E Before].
  pose proof (Al n) as An. rewrite E in An. destruct (run m' n c') as [|h|] eqn:E'; try destruct An. cbn in *.
  destruct (run_halts _ _ _ _ E') as (i & Le & H'). destruct (Nat.eq_dec i n) as [->|Ne]; [exact H'|exfalso].
  destruct (Before i ltac:(lia)) as [d Ed]. destruct (halts_run _ _ _ _ H') as [Ei _].
  specialize (Al i). rewrite Ed, Ei in Al. exact Al.
Qed.

(** The same up to where the first is stuck. *)
Lemma alike_until_halts {Q Q'} (m : policy Q) (m' : policy Q') c c' :
  (forall n, run m n c <> Stuck -> alike (run m n c) (run m' n c')) ->
  forall n g, halts m c n g -> halts m' c' n g.
Proof.
  intros Al n g H. destruct (halts_run _ _ _ _ H) as [E Before].
  pose proof (Al n) as An. rewrite E in An. specialize (An ltac:(discriminate)).
  destruct (run m' n c') as [|h|] eqn:E'; try destruct An. cbn in *.
  destruct (run_halts _ _ _ _ E') as (i & Le & H'). destruct (Nat.eq_dec i n) as [->|Ne]; [exact H'|exfalso].
  destruct (Before i ltac:(lia)) as [d Ed]. destruct (halts_run _ _ _ _ H') as [Ei _].
  specialize (Al i). rewrite Ed, Ei in Al. now apply Al.
Qed.

(** * The joint run *)

Section Runs.
Variables (k void : N) (lowest : Z) (rows : nat) (T M : policy N) (t : tree (shape * list N)).
Notation stands := (stands void lowest).

(** The teacher writes only symbols. *)
Hypothesis writes : forall q a r, T q a = Some r -> (written r < k)%N.
Hypothesis all_ok : every (member_ok k void rows T M t) t = true.

(** Both are at the same place of the same grid, and that is as some member says. *)
Inductive joint : config N -> config N -> Prop :=
| joint_by : forall x y g n m hints,
    get n t = Some (m, hints) -> stands (spot m) x y g -> (forall x y, g x y < k)%N ->
    joint (at_ (tq m) x y g) (at_ (lq m) x y g).

Lemma covered_in : forall l hints c,
  covered void rows t l hints = true -> In c l ->
  exists n d hs, get n t = Some (d, hs) /\ covers void rows c d = true.
Proof.
  induction l as [|b l IH]; intros [|n hints] c E I; try discriminate; [destruct I|].
  cbn in E. destruct (get n t) as [[d hs]|] eqn:G; [|discriminate]. split_all.
  destruct I as [->|I]; eauto.
Qed.

(** What one step of both can be. *)
Inductive joint_steps (c c' : config N) : Prop :=
| both_stuck : T (state c) (cells c (hx c) (hy c)) = None -> joint_steps c c'
| both_halt : forall g, step T c = Halted g -> step M c' = Halted g -> joint_steps c c'
| both_go : forall d d', step T c = Going d -> step M c' = Going d' -> joint d d' -> joint_steps c c'.

Lemma joint_step c c' : joint c c' -> joint_steps c c'.
Proof.
  intros [x y g n m hints G Ga Bd].
  pose proof (every_find _ _ _ _ all_ok G) as Ok. cbv beta iota delta [member_ok] in Ok.
  fold (on_rows (spot m)) in Ok. destruct (on_rows (spot m)) eqn:On; [|discriminate].
  destruct (all_some _ _) as [ls|] eqn:A; [|discriminate].
  destruct (all_some_in _ _ _ _ A (sees _ _ k _ _ _ _ On Ga (Bd x y))) as (l & Sa & Il).
  unfold successors in Sa.
  destruct (T (tq m) (g x y)) as [a|] eqn:Ta; [|apply both_stuck; exact Ta].
  destruct (M (lq m) (g x y)) as [b|] eqn:Mb; [|discriminate].
  destruct (written a =? written b)%N eqn:W; [|discriminate].
  destruct (same_move (going a) (going b)) eqn:Mo; [|discriminate].
  apply N.eqb_eq in W. apply same_move_eq in Mo.
  assert (Next : going a <> Stay ->
    joint (at_ (following a) (x + dx (going a)) (y + dy (going a)) (put g x y (written a)))
          (at_ (following b) (x + dx (going a)) (y + dy (going a)) (put g x y (written a)))).
  { intros Ns. destruct (after_sound _ _ _ _ _ _ _ _ _ _ _ _ On Ga Ns Sa) as (d & Id & <- & <- & Gd).
    destruct (covered_in _ _ d Ok) as (n' & e & hs & Ge & Co).
    { apply in_concat. eauto. }
    destruct (covers_sound _ _ _ _ _ _ _ _ Co Gd) as (-> & -> & Sd). eapply joint_by; eauto.
    intros u v. unfold put. destruct (_ && _); [eapply writes; exact Ta|apply Bd]. }
  destruct (going a) eqn:Ga';
    try (eapply both_go; [unfold step; cbn [state hx hy cells]; rewrite Ta, Ga'; reflexivity
                         |unfold step; cbn [state hx hy cells]; rewrite Mb, <- W, <- Mo; reflexivity
                         |apply Next; discriminate]).
  eapply both_halt; unfold step; cbn [state hx hy cells]; [rewrite Ta, Ga'|rewrite Mb, <- W, <- Mo]; reflexivity.
Qed.

Lemma stuck_run (m : policy N) n c : m (state c) (cells c (hx c) (hy c)) = None -> run m (S n) c = Stuck.
Proof. intros E. cbn [run]. unfold step. rewrite E. reflexivity. Qed.

(** Up to where the teacher is stuck. *)
Lemma joint_until : forall n c c', joint c c' -> run T n c <> Stuck -> alike (run T n c) (run M n c').
Proof.
  induction n as [|n IH]; intros c c' J Ns; [destruct J; cbn; auto|].
  destruct (joint_step _ _ J) as [E|g E1 E2|d d' E1 E2 J']; [elim Ns; now apply stuck_run|..];
    cbn [run] in *; rewrite ?E1, ?E2 in *; cbn; auto.
Qed.

(** If every member has them stuck together, for ever. *)
Lemma joint_together : every (member_together k T M) t = true ->
  forall n c c', joint c c' -> alike (run T n c) (run M n c').
Proof.
  intros To. induction n as [|n IH]; intros c c' J; [destruct J; cbn; auto|].
  destruct (joint_step _ _ J) as [E|g E1 E2|d d' E1 E2 J']; [|cbn [run]; rewrite E1, E2; cbn; auto..].
  rewrite stuck_run by exact E. destruct J as [x y g i m hints G Ga Bd]. rewrite stuck_run; [exact I|].
  cbn [state cells hx hy] in *.
  pose proof (every_find _ _ _ _ To G) as F. unfold member_together in F. rewrite forallb_forall in F.
  pose proof (every_find _ _ _ _ all_ok G) as Ok. cbv beta iota delta [member_ok] in Ok.
  fold (on_rows (spot m)) in Ok. destruct (on_rows (spot m)) eqn:On; [|discriminate].
  specialize (F _ (sees _ _ k _ _ _ _ On Ga (Bd x y))). cbn [fst] in F. rewrite E in F.
  destruct (M (lq m) (g x y)); [discriminate|reflexivity].
Qed.

(** If no member lets the teacher be stuck, it never is. *)
Lemma joint_never_stuck : every (member_never_stuck k T) t = true -> forall n c c', joint c c' -> run T n c <> Stuck.
Proof.
  intros Never. induction n as [|n IH]; intros c c' J; [discriminate|].
  destruct (joint_step _ _ J) as [E|g E1 E2|d d' E1 E2 J']; [|cbn [run]; rewrite E1; try discriminate; eauto..].
  exfalso. destruct J as [x y g i m hints G Ga Bd]. cbn [state cells hx hy] in *.
  pose proof (every_find _ _ _ _ Never G) as F. unfold member_never_stuck in F. rewrite forallb_forall in F.
  pose proof (every_find _ _ _ _ all_ok G) as Ok. cbv beta iota delta [member_ok] in Ok.
  fold (on_rows (spot m)) in Ok. destruct (on_rows (spot m)) eqn:On; [|discriminate].
  specialize (F _ (sees _ _ k _ _ _ _ On Ga (Bd x y))). cbn [fst] in F. rewrite E in F. discriminate.
Qed.
End Runs.
