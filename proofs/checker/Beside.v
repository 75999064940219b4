(** A third policy beside teacher and learner: if the states are known in which it can be at each member, and every step
    of the certificate keeps within them, it acts like the teacher. They can be anything: vectors of a network. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Tree checker.Check checker.Shapes checker.Steps checker.Runs.
Import ListNotations.

(** * The steps of a member: a symbol seen, what the teacher does, and the members that cover what follows *)

Section Steps.
Variables (k void : N) (rows : nat) (T M : policy N).

(** The hints of a member are those of its steps, one after the other. *)
Fixpoint steps_from (c : shape) (seen hints : list N) : list (N * action (list N)) :=
  match seen with
  | [] => []
  | a :: seen =>
      match T (tq c) a, successors void rows T M c a with
      | Some r, Some l =>
          (a, act (firstn (length l) hints) (written r) (going r)) :: steps_from c seen (skipn (length l) hints)
      | _, _ => steps_from c seen hints
      end
  end.
Definition steps_of (m : shape * list N) : list (N * action (list N)) := steps_from (fst m) (seen k (fst m)) (snd m).

Variable t : tree (shape * list N).

Lemma covered_parts : forall l l' hints, covered void rows t (l ++ l') hints = true ->
  covered void rows t l (firstn (length l) hints) = true /\ covered void rows t l' (skipn (length l) hints) = true.
Proof.
  induction l as [|c l IH]; intros l' hints E; [split; [reflexivity|exact E]|].
  destruct hints as [|n hints]; [discriminate|]. cbn [app length firstn skipn covered] in *.
  destruct (get n t) as [[d hs]|]; [|discriminate]. split_all. apply IH in E as [E1 E2]. rewrite E1. auto.
Qed.

Lemma steps_complete c a r : T (tq c) a = Some r -> forall symbols hints ls,
  all_some (successors void rows T M c) symbols = Some ls -> covered void rows t (concat ls) hints = true ->
  In a symbols -> exists l hs, successors void rows T M c a = Some l /\ covered void rows t l hs = true /\
    In (a, act hs (written r) (going r)) (steps_from c symbols hints).
Proof.
  intros Ta. induction symbols as [|b symbols IH]; intros hints ls A Co I; [destruct I|]. cbn [all_some] in A.
  destruct (successors void rows T M c b) as [l|] eqn:S; [|discriminate].
  destruct (all_some _ symbols) as [ls'|] eqn:A'; [|discriminate]. injection A as <-. cbn [concat] in Co.
  apply covered_parts in Co as [C1 C2]. destruct (N.eq_dec b a) as [->|Ne].
  - exists l, (firstn (length l) hints). cbn [steps_from]. rewrite Ta, S. cbn [In]. auto.
  - destruct I as [E|I]; [congruence|]. destruct (IH _ _ eq_refl C2 I) as (l' & hs & S' & C' & I').
    exists l', hs. split; [exact S'|]. split; [exact C'|]. cbn [steps_from]. rewrite S.
    destruct (T (tq c) b) eqn:Tb; [right; exact I'|].
    unfold successors in S. rewrite Tb in S. injection S as <-. exact I'.
Qed.
End Steps.

(** * Beside the teacher *)

Section Beside.
Variables (k void : N) (lowest : Z) (rows : nat) (T M : policy N) (t : tree (shape * list N)).
Hypothesis writes : forall q a r, T q a = Some r -> (written r < k)%N.
Hypothesis all_ok : every (member_ok k void rows T M t) t = true.

Variables (Q : Type) (P : policy Q) (lies : N -> Q -> Prop). (* the states in which P can be at a member *)

(** At every step of a member it does what the teacher does, and is then in a state known at all that follow. *)
Definition carried : Prop := forall n m v a r, get n t = Some m -> lies n v ->
  In (a, r) (steps_of k void rows T M m) -> exists b, P v a = Some b /\ written b = written r /\ going b = going r /\
    (going r <> Stay -> forall n', In n' (following r) -> lies n' (following b)).
Hypothesis carries : carried.

Inductive beside : config N -> config Q -> Prop :=
| beside_by : forall x y g n m hints v,
    get n t = Some (m, hints) -> stands void lowest (spot m) x y g -> (forall x y, g x y < k)%N -> lies n v ->
    beside (at_ (tq m) x y g) (at_ v x y g).

Lemma covered_hint : forall l hints c, covered void rows t l hints = true -> In c l ->
  exists n d hs, In n hints /\ get n t = Some (d, hs) /\ covers void rows c d = true.
Proof.
  induction l as [|b l IH]; intros [|n hints] c E I; try discriminate; [destruct I|].
  cbn in E. destruct (get n t) as [[d hs]|] eqn:G; [|discriminate]. split_all.
  destruct I as [->|I]; [exists n, d, hs; cbn; auto|].
  destruct (IH _ _ E I) as (n' & d' & hs' & I' & H). exists n', d', hs'. cbn. auto.
Qed.

Inductive beside_steps (c : config N) (c' : config Q) : Prop :=
| teacher_stuck : T (state c) (cells c (hx c) (hy c)) = None -> beside_steps c c'
| beside_halt : forall g, step T c = Halted g -> step P c' = Halted g -> beside_steps c c'
| beside_go : forall d d', step T c = Going d -> step P c' = Going d' -> beside d d' -> beside_steps c c'.

Lemma beside_step c c' : beside c c' -> beside_steps c c'.
Proof.
  intros [x y g n m hints v G Ga Bd Li].
  pose proof (every_find _ _ _ _ all_ok G) as Ok. cbv beta iota delta [member_ok] in Ok.
  fold (on_rows (spot m)) in Ok. destruct (on_rows (spot m)) eqn:On; [|discriminate].
  destruct (all_some _ _) as [ls|] eqn:A; [|discriminate].
  destruct (T (tq m) (g x y)) as [r|] eqn:Ta; [|apply teacher_stuck; exact Ta].
  pose proof (sees _ _ k _ _ _ _ On Ga (Bd x y)) as Se.
  destruct (steps_complete _ _ _ _ _ _ _ _ Ta _ _ _ A Ok Se) as (l & hs & Su & Co & I).
  destruct (carries n (m, hints) v _ _ G Li I) as (b & Pb & W & Go & Next). cbn [written going following] in *.
  assert (Further : going r <> Stay ->
    beside (at_ (following r) (x + dx (going r)) (y + dy (going r)) (put g x y (written r)))
           (at_ (following b) (x + dx (going r)) (y + dy (going r)) (put g x y (written r)))).
  { intros Ns. unfold successors in Su. rewrite Ta in Su. destruct (M (lq m) (g x y)) as [a|]; [|discriminate].
    destruct (written r =? written a)%N; [|discriminate]. destruct (same_move (going r) (going a)); [|discriminate].
    destruct (after_sound _ _ _ _ _ _ _ _ _ _ _ _ On Ga Ns Su) as (d & Id & <- & _ & Gd).
    destruct (covered_hint _ _ _ Co Id) as (n' & e & hs' & In' & Ge & Ce).
    destruct (covers_sound _ _ _ _ _ _ _ _ Ce Gd) as (-> & _ & Sd). eapply beside_by; eauto.
    intros u w. unfold put. destruct (_ && _); [eapply writes; exact Ta|apply Bd]. }
  destruct (going r) eqn:Gr;
    try (eapply beside_go; [unfold step; cbn [state hx hy cells]; rewrite Ta, Gr; reflexivity
                           |unfold step; cbn [state hx hy cells]; rewrite Pb, W, Go; reflexivity
                           |apply Further; discriminate]).
  eapply beside_halt; unfold step; cbn [state hx hy cells]; [rewrite Ta, Gr|rewrite Pb, W, Go]; reflexivity.
Qed.

(** Up to where the teacher is stuck. *)
Theorem beside_until : forall n c c', beside c c' -> run T n c <> Stuck -> alike (run T n c) (run P n c').
Proof.
  induction n as [|n IH]; intros c c' J Ns; [destruct J; cbn; auto|].
  destruct (beside_step _ _ J) as [E|g E1 E2|d d' E1 E2 J']; [elim Ns; now apply stuck_run|..];
    cbn [run] in *; rewrite ?E1, ?E2 in *; cbn; auto.
Qed.
End Beside.
