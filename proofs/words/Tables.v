(** From a machine that is proven to a table that is given: enough that the table has the machine's rules, which is a
    computation. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check checker.Shapes.
Import ListNotations.

(** Where there is a rule, the other has the same (after [Stay] the next state means nothing), and it stays in range. *)
Definition same_rule (states symbols : N) (o o' : option (action N)) : bool :=
  match o, o' with
  | None, _ => true
  | Some _, None => false
  | Some a, Some b =>
      (written a =? written b)%N && (written a <? symbols)%N && same_move (going a) (going b) &&
      (same_move (going a) Stay || (following a =? following b)%N && (following a <? states)%N)
  end.

(** m' has all rules of m for the first states and symbols. *)
Definition imitates (states symbols : N) (m m' : policy N) : bool :=
  forallb (fun q => forallb (fun a => same_rule states symbols (m q a) (m' q a)) (upto symbols)) (upto states).

Lemma imitates_halts states symbols m m' : imitates states symbols m m' = true ->
  forall c n g, halts m c n g -> (state c < states)%N -> (forall x y, (cells c x y < symbols)%N) -> halts m' c n g.
Proof.
  intros Im. unfold imitates in Im. rewrite forallb_forall in Im.
  assert (Rule : forall c, (state c < states)%N -> (forall x y, (cells c x y < symbols)%N) ->
    same_rule states symbols (m (state c) (cells c (hx c) (hy c))) (m' (state c) (cells c (hx c) (hy c))) = true).
  { intros c Sc Cc. specialize (Im _ (in_upto _ _ Sc)). rewrite forallb_forall in Im. apply Im, in_upto, Cc. }
  induction 1 as [c g E|c c' n g E H IH]; intros Sc Cc; specialize (Rule c Sc Cc); unfold step in E;
    destruct (m (state c) _) as [a|]; try discriminate; cbn [same_rule] in Rule;
    destruct (m' (state c) _) as [b|] eqn:B; try discriminate;
    rewrite !andb_true_iff, N.eqb_eq, N.ltb_lt in Rule; destruct Rule as [[[W Ws] G] F];
    apply same_move_eq in G.
  - apply halts_now. unfold step. rewrite B, <- W, <- G. destruct (going a); congruence.
  - destruct (same_move (going a) Stay) eqn:Ns; [destruct (going a); discriminate|].
    cbn [orb] in F. rewrite andb_true_iff, N.eqb_eq, N.ltb_lt in F. destruct F as [F Fs].
    apply halts_later with c'.
    + unfold step. rewrite B, <- W, <- F, <- G. exact E.
    + apply IH; destruct (going a); try discriminate; injection E as <-; cbn [state cells]; auto;
        intros x y; unfold put; destruct (_ && _); auto.
Qed.

Lemma problem_symbols radix a b x y : numeral radix a -> numeral radix b -> (problem radix a b x y < radix + 2)%N.
Proof.
  intros [_ A] [_ B]. unfold problem, alone. destruct (_ && _ && _); [|lia].
  assert (All : Forall (fun s => (s < radix + 2)%N) (a ++ [radix + 1]%N ++ b)).
  { apply Forall_app; split; [|apply Forall_app; split].
    - revert A. apply Forall_impl. intros; lia.
    - constructor; [lia|constructor].
    - revert B. apply Forall_impl. intros; lia. }
  rewrite Forall_forall in All.
  destruct (nth_in_or_default (Z.to_nat (x - 0)) (a ++ [radix + 1]%N ++ b) radix) as [I| ->]; [auto|lia].
Qed.

(** So it computes what m computes. *)
Theorem imitates_computes states m m' first radix x y row op steps :
  imitates states (radix + 2) m m' = true -> (first < states)%N ->
  computes m first radix x y row op steps -> computes m' first radix x y row op steps.
Proof.
  intros Im St Co a b A B. destruct (Co a b A B) as (n & g & x' & d & Le & H & Rest).
  exists n, g, x', d. split; [exact Le|]. split; [|exact Rest].
  apply (imitates_halts _ _ _ _ Im _ _ _ H); cbn [state cells]; [exact St|].
  intros. apply problem_symbols; assumption.
Qed.
