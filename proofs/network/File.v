(** From the bytes of one_hot.safetensors to the network of OneHot.v. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement checker.Check checker.Shapes checker.Sound network.OneHot files.Safetensors.
Import ListNotations.

(** * The bytes that one-hot weights have *)

Definition flat (k rows d : nat) (f : N -> nat -> nat -> Z) : list Z :=
  flat_map (fun x => flat_map (fun i => map (f (N.of_nat x) i) (seq 0 d)) (seq 0 rows)) (seq 0 k).

Definition wanted (a : agent) (d : nat) : tensors :=
  let k := N.to_nat (symbols a) in
  Tensors (flat k d d (weight_A (rules a))) (flat k k d (weight_B (rules a))) (flat k 5 d (weight_C (rules a)))
          (unit d (N.to_nat (start a))) k.

Definition float_bytes (z : Z) : list N := if (z =? 0)%Z then [0; 0; 0; 0]%N else [0; 0; 128; 63]%N.
Definition length_bytes (n : N) : list N := map (fun i => N.land (N.shiftr n (8 * N.of_nat i)) 255) (seq 0 8).

(** A file with this header and these tensors. That it is the file on the disk, its SHA-256 says. *)
Definition weights_file (header : list N) (a : agent) (d : nat) : list N :=
  let t := wanted a d in
  length_bytes (N.of_nat (length header)) ++ header ++ flat_map float_bytes (of_A t) ++
  flat_map float_bytes (of_B t) ++ flat_map float_bytes (of_C t) ++ flat_map float_bytes (of_h0 t).

(** * A test that computation decides *)

Fixpoint same_numbers (l m : list Z) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => if (x =? y)%Z then same_numbers l m else false
  | _, _ => false
  end.
Lemma same_numbers_eq : forall l m, same_numbers l m = true -> l = m.
Proof.
  induction l as [|x l IH]; intros [|y m] E; cbn in E; try discriminate; [reflexivity|].
  destruct (Z.eqb_spec x y); [|discriminate]. subst. f_equal. auto.
Qed.

Definition same_tensors (t u : tensors) : bool :=
  same_numbers (of_A t) (of_A u) && same_numbers (of_B t) (of_B u) && same_numbers (of_C t) (of_C u) &&
  same_numbers (of_h0 t) (of_h0 u) && Nat.eqb (of_symbols t) (of_symbols u).

Definition holds_one_hot (file : list N) (a : agent) (d : nat) : bool :=
  match tensors_in zero_or_one file with Some t => same_tensors t (wanted a d) | None => false end.

(** * Indices *)

Lemma nth_blocks {A} (f : nat -> list A) (e : A) n : (forall i, length (f i) = n) -> forall m s i j, (j < n)%nat ->
  nth (i * n + j) (flat_map f (seq s m)) e = if (i <? m)%nat then nth j (f (s + i)%nat) e else e.
Proof.
  intros Len. induction m as [|m IH]; intros s i j Hj; cbn [seq flat_map].
  - destruct (i * n + j)%nat; reflexivity.
  - destruct i as [|i].
    + cbn [Nat.mul Nat.add]. rewrite app_nth1 by (rewrite Len; exact Hj). cbn. f_equal. f_equal. lia.
    + rewrite app_nth2 by (rewrite Len; nia). rewrite Len. replace (S i * n + j - n)%nat with (i * n + j)%nat by nia.
      rewrite IH by exact Hj. change (S i <? S m)%nat with (i <? m)%nat.
      destruct (i <? m)%nat; [|reflexivity]. f_equal. f_equal. lia.
Qed.

Lemma length_blocks {A} (f : nat -> list A) n : (forall i, length (f i) = n) -> forall m s,
  length (flat_map f (seq s m)) = (m * n)%nat.
Proof.
  intros Len. induction m as [|m IH]; intros s; cbn [seq flat_map]; [reflexivity|].
  rewrite app_length, Len, IH. lia.
Qed.

Lemma entries_flat k rows d f x i j : (i < rows)%nat -> (j < d)%nat ->
  (forall y, (N.of_nat k <= y)%N -> f y i j = 0%Z) ->
  entries (flat k rows d f) rows d x i j = f x i j.
Proof.
  intros Hi Hj Out. unfold entries, flat.
  replace ((N.to_nat x * rows + i) * d + j)%nat with (N.to_nat x * (rows * d) + (i * d + j))%nat by lia.
  assert (Row : forall x i, length (map (f (N.of_nat x) i) (seq 0 d)) = d)
    by (intros; now rewrite map_length, seq_length).
  rewrite nth_blocks; [|intros; apply length_blocks; auto|nia].
  destruct (Nat.ltb_spec (N.to_nat x) k) as [Lt|Ge].
  - rewrite nth_blocks; auto. rewrite (proj2 (Nat.ltb_lt _ _)) by exact Hi.
    rewrite nth_map_seq by exact Hj. cbn. now rewrite N2Nat.id.
  - symmetry. apply Out. lia.
Qed.

(** * The network in the file acts like the one of OneHot.v *)

Lemma total_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> total n f = total n g.
Proof. induction n; intros H; cbn [total]; [reflexivity|]. rewrite IHn, H by auto. reflexivity. Qed.

Lemma product_ext rows d M M' h : (forall i j, (i < rows)%nat -> (j < d)%nat -> M i j = M' i j) ->
  product rows d M h = product rows d M' h.
Proof.
  intros E. apply map_ext_in. intros i Hi. apply in_seq in Hi. apply total_ext. intros j Hj.
  rewrite E by lia. reflexivity.
Qed.

(** Symbols that are none have no rule. *)
Lemma lookup_outside a q x : well_formed a = true -> (symbols a <= x)%N -> lookup (rules a) q x = None.
Proof.
  unfold well_formed, lookup. intros W Hx. split_all.
  match goal with H : forallb _ (rules a) = true |- _ => rewrite forallb_forall in H; rename H into Rows end.
  destruct (nth_in_or_default (N.to_nat q) (rules a) []) as [I|D].
  - specialize (Rows _ I). split_all. apply nth_overflow. lia.
  - rewrite D. now destruct (N.to_nat x).
Qed.

Theorem network_in_file file a d : holds_one_hot file a d = true -> well_formed a = true ->
  exists w, network_in file = Some w /\ h0 w = h0 (one_hot a d) /\
    forall h x, acting w h x = acting (one_hot a d) h x.
Proof.
  unfold holds_one_hot, network_in, network_of. intros Ho Wf. destruct (tensors_in _ file) as [t|]; [|discriminate].
  unfold same_tensors in Ho. rewrite !andb_true_iff in Ho. destruct Ho as [[[[EA EB] EC] Eh] Ek].
  apply same_numbers_eq in EA, EB, EC, Eh. apply Nat.eqb_eq in Ek.
  eexists. split; [reflexivity|]. rewrite EA, EB, EC, Eh, Ek. cbn [wanted of_A of_B of_C of_h0 of_symbols].
  rewrite length_unit. split; [reflexivity|]. intros h x. unfold acting, one_hot. cbn [letters dimension A B C].
  rewrite (product_ext _ _ (entries (flat _ _ _ (weight_B _)) _ _ x) (weight_B (rules a) x)),
    (product_ext _ _ (entries (flat _ _ _ (weight_C _)) _ _ x) (weight_C (rules a) x)),
    (product_ext _ _ (entries (flat _ _ _ (weight_A _)) _ _ x) (weight_A (rules a) x)); [reflexivity|..];
    intros i j Hi Hj; apply entries_flat; auto; intros y Hy; rewrite N2Nat.id in Hy;
    unfold weight_A, weight_B, weight_C; now rewrite (lookup_outside a _ y Wf Hy).
Qed.

(** So it computes what the machine computes. *)
Theorem file_computes file a d radix x y row op steps :
  holds_one_hot file a d = true -> well_formed a = true -> (length (rules a) <= d)%nat ->
  computes (lookup (rules a)) (start a) radix x y row op steps ->
  exists w, network_in file = Some w /\ computes (acting w) (h0 w) radix x y row op steps.
Proof.
  intros Ho Wf Room Co. destruct (network_in_file file a d Ho Wf) as (w & E & Eh & Ew). exists w. split; [exact E|].
  apply (network_computes a d Wf Room) in Co. intros u v Hu Hv.
  destruct (Co u v Hu Hv) as (n & g & x' & c & Le & H & Rest). exists n, g, x', c. split; [exact Le|].
  split; [|exact Rest]. rewrite Eh. clear - H Ew.
  induction H as [c g E|c c' n g E _ IH]; [apply halts_now|apply halts_later with c'; [|exact IH]];
    rewrite <- E; unfold step; now rewrite Ew.
Qed.
