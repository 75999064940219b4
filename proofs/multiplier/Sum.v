(** Adding the partial product. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement multiplier.Machine multiplier.Weights multiplier.Steps multiplier.Copy.
Import ListNotations.
Local Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.
Set Default Proof Using "All". (* every lemma takes all variables of its section: other files can name them *)

(** The machine, and the lemmas of the files before about it. *)
Section Run.
Variables (r : N) (m : policy N) (number : named -> N).
Hypothesis Hr : (2 <= r)%N.
Hypothesis Him : implements m number r.
Local Notation ends := (Steps.ends m number).
Local Notation rows := (Steps.rows r).
Local Notation none := (Steps.none r).
Local Notation ends_same := (Steps.ends_same r m number Hr Him).
Local Notation ends_halt := (Steps.ends_halt r m number Hr Him).
Local Notation go0 := (Steps.go0 r m number Hr Him).
Local Notation go1 := (Steps.go1 r m number Hr Him).
Local Notation go2 := (Steps.go2 r m number Hr Him).
Local Notation pass := (Steps.pass r m number Hr Him).
Local Notation walk_right := (Steps.walk_right r m number Hr Him).
Local Notation walk_left := (Steps.walk_left r m number Hr Him).
Local Notation rows_same := (Steps.rows_same r m number Hr Him).

Section Operands.
Variables (n : nat) (A : Z -> N).
Hypothesis Hn : (0 < n)%nat.
Hypothesis HA : forall i, 0 <= i < n -> (A i < r)%N.

(** ** Adding the partial product *)

(** The number in row -2, a blank counting as 0. *)
Definition clean (Q : Z -> N) : Z -> N := fun j => if (Q j <? r)%N then Q j else 0%N.
(** Row -2: weight 0 belongs to column n - 2. *)
Definition gathered (Q : Z -> N) : Z -> N := fun z => Q (n - 2 - z).

(** At weight t of the partial product P, which is weight k + t of the product. *)
Lemma sum_one i (k t : nat) c (P Q p : Z -> N) h :
  (c < 2)%N -> (t < n + 1)%nat -> (P t < r)%N ->
  (Q (k + t)%nat < r)%N \/ (Q (k + t)%nat = r /\ (P t + c < r)%N) ->
  let e := n - 1 - k in
  let v := (clean Q (k + t)%nat + (P t + c))%N in
  ends i (sum (v / r)) (e - 1 - S t) (-1)
    (rows p (part (e - 1) (S t) (n + 1) P none) (gathered (set Q (k + t)%nat (v mod r)))) h ->
  ends (3 + i) (sum c) (e - 1 - t) (-1) (rows p (part (e - 1) t (n + 1) P none) (gathered Q)) h.
Proof.
  intros Hc Ht Hp HQ e v H.
  apply (go1 (P t) (part (e - 1) (S t) (n + 1) P none))
    with (s' := plus (P t + c)) (w := r) (d := Down) (x' := e - 1 - t) (y' := -2); easy_moves.
  { look. }
  { rule. }
  { row. }
  assert (Hv : (v / r < 2)%N).
  { apply N.div_lt_upper_bound; [lia |]. unfold v, clean. destruct (N.ltb_spec (Q (k + t)%nat) r); lia. }
  apply (go2 (Q (k + t)%nat) (gathered (set Q (k + t)%nat (v mod r))))
    with (s' := carry (v / r)) (w := (v mod r)%N) (d := Up) (x' := e - 1 - t) (y' := -1); easy_moves.
  { unfold gathered. f_equal. lia. }
  { unfold v, clean. destruct HQ as [HQ | [HQ HV]].
    - destruct (N.ltb_spec (Q (k + t)%nat) r); [| lia]. rule.
    - rewrite HQ. rewrite N.ltb_irrefl, N.add_0_l, N.div_small, N.mod_small by lia. rule. }
  { unfold gathered. row. }
  apply pass with (s' := sum (v / r)) (d := Left) (x' := e - 1 - S t) (y' := -1); easy_moves; [| exact H].
  see r. rule.
Qed.

(** The n digits of the partial product that meet digits, or, in the first round, blanks only. *)
Lemma sum_most i (k left t : nat) c (P Q p : Z -> N) h total :
  let e := n - 1 - k in
  (t + left)%nat = n -> (c < 2)%N ->
  (forall i, 0 <= i < n + 1 -> (P i < r)%N) ->
  (forall j, 0 <= j < (k + t)%nat -> (Q j < r)%N) ->
  (forall j, j < 0 \/ (k + n)%nat <= j -> Q j = r) ->
  ((forall j, (k + t)%nat <= j < (k + n)%nat -> (Q j < r)%N) \/
    (c = 0%N /\ forall j, (k + t)%nat <= j -> Q j = r)) ->
  (val r (clean Q) (k + n) + c * power r (k + t) = total + power r k * val r P t)%N ->
  (forall c Q, (c < 2)%N ->
    (forall j, 0 <= j < (k + n)%nat -> (Q j < r)%N) ->
    (forall j, j < 0 \/ (k + n)%nat <= j -> Q j = r) ->
    (val r (clean Q) (k + n) + c * power r (k + n) = total + power r k * val r P n)%N ->
    ends i (sum c) (e - 1 - n) (-1) (rows p (part (e - 1) n (n + 1) P none) (gathered Q)) h) ->
  ends (3 * left + i) (sum c) (e - 1 - t) (-1) (rows p (part (e - 1) t (n + 1) P none) (gathered Q)) h.
Proof.
  intro e. revert t c Q. induction left as [| left IH]; intros t c Q Ht Hc HP HQ HO HD HV K.
  - replace t with n in * by lia. apply K; auto.
  - assert (Hp : (P t < r)%N) by (apply HP; lia).
    steps (3 + (3 * left + i))%nat. apply sum_one; auto; [lia | |].
    { destruct HD as [HD | [-> HD]]; [left; apply HD; lia | right; split; [apply HD; lia | lia]]. }
    fold e. set (v := (clean Q (k + t)%nat + (P t + c))%N).
    assert (Hdm := N.div_mod' v r). assert (Hm : (v mod r < r)%N) by (apply N.mod_lt; lia).
    apply IH; auto; [lia | | | | |].
    + apply N.div_lt_upper_bound; [lia |]. unfold v, clean. destruct (N.ltb_spec (Q (k + t)%nat) r); lia.
    + intros j Hj. unfold set. destruct (Z.eqb_spec j (k + t)%nat); [exact Hm | apply HQ; lia].
    + intros j Hj. unfold set. destruct (Z.eqb_spec j (k + t)%nat); [lia | apply HO; lia].
    + destruct HD as [HD | [-> HD]].
      * left. intros j Hj. unfold set. destruct (Z.eqb_spec j (k + t)%nat); [lia | apply HD; lia].
      * right. split.
        -- unfold v, clean. rewrite HD, N.ltb_irrefl by lia. apply N.div_small. lia.
        -- intros j Hj. unfold set. destruct (Z.eqb_spec j (k + t)%nat); [lia | apply HD; lia].
    + rewrite (val_ext r (clean (set Q _ _)) (set (clean Q) (k + t)%nat (v mod r))).
      * assert (X := val_set r (clean Q) (k + t) (k + n) (v mod r) ltac:(lia)).
        assert (Y : (v * power r (k + t) = (r * (v / r) + v mod r) * power r (k + t))%N) by congruence.
        unfold v in Y at 1. replace (k + S t)%nat with (S (k + t)) by lia. cbn [power val].
        assert (Z := power_add r k t). rewrite N.mul_add_distr_l.
        replace (power r k * (P t * power r t))%N with (P t * power r (k + t))%N by (rewrite Z; lia). lia.
      * intros j Hj. unfold clean, set. destruct (Z.eqb_spec j (k + t)%nat); [| reflexivity].
        destruct (N.ltb_spec (v mod r) r); [reflexivity | lia].
Qed.

(** All of it, when the result fits. *)
Lemma sum_all i (k : nat) (P Q p : Z -> N) h :
  let e := n - 1 - k in
  let total := (val r (clean Q) (k + n) + power r k * val r P (S n))%N in
  (forall i, 0 <= i < n + 1 -> (P i < r)%N) ->
  (forall j, 0 <= j < k -> (Q j < r)%N) ->
  (forall j, j < 0 \/ (k + n)%nat <= j -> Q j = r) ->
  ((forall j, k <= j < (k + n)%nat -> (Q j < r)%N) \/ (forall j, k <= j -> Q j = r)) ->
  (total < power r (S (k + n)))%N ->
  (forall Q, (forall j, 0 <= j < S (k + n) -> (Q j < r)%N) ->
    (forall j, j < 0 \/ S (k + n) <= j -> Q j = r) ->
    val r Q (S (k + n)) = total ->
    ends i seek (e - 2 - n) 0 (rows p none (gathered Q)) h) ->
  ends (3 * n + 4 + i) (sum 0) (e - 1) (-1) (rows p (part (e - 1) 0 (n + 1) P none) (gathered Q)) h.
Proof.
  intros e total HP HQ HO HD HT K.
  steps (3 * n + (3 + S i))%nat.
  enough (X : ends (3 * n + (3 + S i)) (sum 0) (e - 1 - 0%nat) (-1)
                (rows p (part (e - 1) 0%nat (n + 1) P none) (gathered Q)) h)
    by (replace (e - 1 - 0%nat) with (e - 1) in X by lia; exact X).
  apply sum_most with (left := n) (total := val r (clean Q) (k + n)); rewrite ?Nat.add_0_r; auto; [lia | | |].
  { destruct HD; auto. }
  { cbn [val]. lia. }
  fold e. clear HQ HO HD.
  assert (HK : total = (val r (clean Q) (k + n) + power r k * val r P n + P n * power r (k + n))%N).
  { unfold total. cbn [val]. rewrite power_add. lia. }
  clearbody total. intros c Q' Hc HQ HO HV.
  assert (Hp := power_positive r (k + n) Hr).
  assert (Hn' : (P n < r)%N) by (apply HP; lia).
  assert (Fit : (P n + c < r)%N) by (cbn [power] in HT; nia).
  assert (Q' (k + n)%nat = r) by (apply HO; lia).
  apply sum_one; auto; [lia |]. fold e.
  replace (clean Q' (k + n)%nat) with 0%N by (unfold clean; rewrite H, N.ltb_irrefl; reflexivity).
  rewrite N.add_0_l, N.div_small, N.mod_small by lia.
  apply pass with (s' := seek) (d := Up) (x' := e - 2 - n) (y' := 0); easy_moves.
  { see r. rule. }
  eapply ends_same with (g' := rows p none _).
  { apply rows_same; [reflexivity | row | reflexivity]. }
  apply K.
  - intros j Hj. unfold set. destruct (Z.eqb_spec j (k + n)%nat); [lia | apply HQ; lia].
  - intros j Hj. unfold set. destruct (Z.eqb_spec j (k + n)%nat); [lia | apply HO; lia].
  - cbn [val]. rewrite (val_ext r (set Q' _ _) (clean Q')).
    + unfold set. rewrite Z.eqb_refl. lia.
    + intros j Hj. unfold set, clean. destruct (Z.eqb_spec j (k + n)%nat); [lia |].
      destruct (N.ltb_spec (Q' j) r); [reflexivity |]. specialize (HQ j Hj). lia.
Qed.
End Operands.
End Run.
