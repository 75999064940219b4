(** What each phase of the adder does to the grid. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement words.Words adder.Machine.
Import ListNotations.
Local Open Scope Z_scope.
Local Notation len w := (Z.of_nat (length w)).
Local Notation row r x w := (alone r x 0 w).
Local Notation digits r w := (Forall (fun d => d < r)%N w).

(** The same with the marker in row 1, above column p. *)
Definition marked (r : N) (x0 : Z) (w : list N) (p : Z) : grid := put (row r x0 w) p 1 (r + 1)%N.

Lemma marked_row0 r x0 w p x : marked r x0 w p x 0 = row r x0 w x 0.
Proof. apply put_away. lia. Qed.

Lemma marked_mark r x0 w p : marked r x0 w p p 1 = (r + 1)%N.
Proof. apply put_here. Qed.

Lemma marked_blank r x0 w p x : x <> p -> marked r x0 w p x 1 = r.
Proof. intros. unfold marked. rewrite put_away by lia. apply row_out. lia. Qed.

Lemma marked_put r x0 w p x s G : same (put (row r x0 w) x 0 s) G ->
  same (put (marked r x0 w p) x 0 s) (put G p 1 (r + 1)%N).
Proof.
  intros E. eapply same_trans; [apply put_swap; lia|]. apply same_put. exact E.
Qed.

Lemma marked_erase r x0 w p : same (put (marked r x0 w p) p 1 r) (row r x0 w).
Proof. eapply same_trans; [apply put_put|]. apply put_id. apply row_out. lia. Qed.

(** * The phases *)

(** enter, rise: a 0 in front of a, and up above its last digit. *)
Lemma entering r a d rest (Q : nat -> grid -> Prop) : (2 <= r)%N -> digits r (a ++ [d]) ->
  ends r Mark (len a) 1 (row r (-1) ((0%N :: a) ++ d :: (r + 1)%N :: rest)) (fun k => Q (length a + 4 + k)%nat) ->
  ends r Enter (-1) 0 (row r 0 (a ++ d :: (r + 1)%N :: rest)) Q.
Proof.
  intros Hr Ha H. pose proof Ha as Hd. apply Forall_app in Hd as [_ Hd]. inversion Hd as [|? ? Hd' _]; subst; clear Hd.
  eapply one with (s := Blank) (q' := Enter) (s' := Digit 0) (d := Right);
    [reflexivity|discriminate|exact I|exact I| |reflexivity|reflexivity|apply row_front; reflexivity|].
  { apply row_out. lia. }
  replace (-1 + dx Right) with 0 by reflexivity. replace (0 + dy Right) with 0 by reflexivity.
  apply walk with (d := Right) (n := (length a + 1)%nat) (x' := len a + 1); [now right|exact I|simpl dx; lia| |].
  { intros i Hi. simpl dx. replace (0 + 1 * i) with i by lia.
    destruct (row_split (a ++ [d]) 0 i) as (u & x & v & E & Hu). { rewrite app_length. simpl length. lia. }
    exists (Digit x). split; [|split; [|reflexivity]].
    - simpl. rewrite E in Ha. apply Forall_elt in Ha. exact Ha.
    - apply row_at with (u := 0%N :: u) (v := v ++ (r + 1)%N :: rest); [|reflexivity|simpl length; lia].
      transitivity (0%N :: (a ++ [d]) ++ (r + 1)%N :: rest); [|rewrite E]; words. }
  eapply one with (s := Plus) (q' := Rise) (s' := Plus) (d := Left);
    [reflexivity|discriminate|exact I|exact I| |reflexivity|reflexivity|apply put_id|].
  1, 2: apply row_at with (u := 0%N :: a ++ [d]) (v := rest); [words|reflexivity|];
    simpl length; rewrite app_length; simpl length; lia.
  replace (len a + 1 + dx Left) with (len a) by (simpl dx; lia). replace (0 + dy Left) with 0 by reflexivity.
  eapply one with (s := Digit d) (q' := Mark) (s' := Digit d) (d := Up);
    [reflexivity|discriminate|exact I|exact Hd'| |reflexivity|reflexivity|apply put_id|].
  1, 2: apply row_at with (u := 0%N :: a) (v := (r + 1)%N :: rest); [words|reflexivity|simpl length; lia].
  replace (len a + dx Up) with (len a) by (simpl dx; lia). replace (0 + dy Up) with 1 by reflexivity.
  eapply ends_weaken; [exact H|]. intros k h. cbv beta.
  replace (length a + 4 + k)%nat with (1 + (length a + 1 + (1 + (1 + k))))%nat by lia. trivial.
Qed.

(** Adding k to the number h, the head on its last digit: c carries ripple to the left, then it comes to rest. *)
Lemma ripple r p : (2 <= r)%N -> forall h k rest x0 x (Q : nat -> grid -> Prop),
  x = x0 + len h - 1 -> digits r h -> (k < r)%N -> (h <> [] \/ (1 <= k)%N) -> (value r h + k < r ^ size h)%N ->
  (forall h' c, length h' = length h -> digits r h' -> value r h' = (value r h + k)%N ->
     (sum h' + N.of_nat c * (r - 1) = sum h + k)%N ->
     ends r Back (x - Z.of_nat c) 1 (marked r x0 (h' ++ rest) p) (fun k => Q (1 + c + k)%nat)) ->
  ends r (Add k) x 0 (marked r x0 (h ++ rest) p) Q.
Proof.
  intros Hr2. induction h as [|d h IH] using rev_ind; intros k rest x0 x Q Hx Hh Hk Hne Hv H.
  - exfalso. simpl in Hv. destruct Hne; [now apply H0|]. change (r ^ size [])%N with 1%N in Hv. lia.
  - apply Forall_app in Hh as [Hh Hd]. inversion Hd as [|? ? Hd' _]; subst; clear Hd.
    rewrite app_length in *; simpl length in *.
    rewrite value_snoc, sum_snoc in *. rewrite size_snoc, N.pow_succ_r' in Hv.
    rewrite <- app_assoc; simpl app.
    destruct (N.ltb_spec (d + k) r) as [Hlt|Hge].
    + eapply one with (s := Digit d) (q' := Back) (s' := Digit (d + k)) (d := Up);
        [simpl; now rewrite (proj2 (N.ltb_lt _ _))|discriminate|exact Hk|exact Hd'| |reflexivity|reflexivity| |].
      * rewrite marked_row0. eapply row_at; [reflexivity|lia|lia].
      * apply marked_put. apply row_set. lia.
      * replace (0 + dy Up) with 1 by reflexivity.
        specialize (H (h ++ [d + k]%N) 0%nat). rewrite <- app_assoc in H.
        replace (x0 + Z.of_nat (length h + 1) - 1 + dx Up)
          with (x0 + Z.of_nat (length h + 1) - 1 - Z.of_nat 0) by (simpl dx; lia).
        apply H; clear H.
        -- rewrite app_length. reflexivity.
        -- apply Forall_app. split; [exact Hh|]. repeat constructor. exact Hlt.
        -- rewrite value_snoc. lia.
        -- rewrite sum_snoc. lia.
    + eapply one with (s := Digit d) (q' := Add 1) (s' := Digit (d + k - r)) (d := Left);
        [simpl; now rewrite (proj2 (N.ltb_ge _ _))|discriminate|exact Hk|exact Hd'| |reflexivity|reflexivity| |].
      * rewrite marked_row0. eapply row_at; [reflexivity|lia|lia].
      * apply marked_put. apply row_set. lia.
      * replace (0 + dy Left) with 0 by reflexivity.
        apply IH; [simpl dx; lia|exact Hh|lia|right; lia|nia|].
        intros h' c Hl Hh' Hv' Hs'.
        specialize (H (h' ++ [d + k - r]%N) (S c)). rewrite <- app_assoc in H.
        eapply ends_weaken.
        -- replace (x0 + Z.of_nat (length h + 1) - 1 + dx Left - Z.of_nat c)
             with (x0 + Z.of_nat (length h + 1) - 1 - Z.of_nat (S c)) by (simpl dx; lia).
           apply H; clear H.
           ++ rewrite app_length. simpl. lia.
           ++ apply Forall_app. split; [exact Hh'|]. repeat constructor. lia.
           ++ rewrite value_snoc, Hv'. nia.
           ++ rewrite sum_snoc. nia.
        -- cbv beta. intros j g. replace (1 + S c + j)%nat with (1 + (1 + c + j))%nat by lia. trivial.
Qed.

(** mark, look, pad: the marker above the digit d, and at least one digit to its left, a 0 if need be. *)
Lemma marking r u d rest x0 p (Q : nat -> grid -> Prop) : (2 <= r)%N -> digits r u -> (d < r)%N -> p = x0 + len u ->
  (forall x0' u', u' = u /\ u <> [] \/ u' = [0%N] /\ u = [] -> p = x0' + len u' ->
     ends r Seek p 0 (marked r x0' (u' ++ d :: rest) p) (fun k => Q (3 + k)%nat)) ->
  ends r Mark p 1 (row r x0 (u ++ d :: rest)) Q.
Proof.
  intros Hr Hu Hd Hp H.
  eapply one with (s := Blank) (q' := Look) (s' := Plus) (d := Down) (G' := marked r x0 (u ++ d :: rest) p) (x' := p);
    [reflexivity|discriminate|exact I|exact I|apply row_out; lia|simpl dx; lia|reflexivity|intros ? ?; reflexivity|].
  eapply one with (s := Digit d) (q' := Pad) (s' := Digit d) (d := Left);
    [reflexivity|discriminate|exact I|exact Hd| |reflexivity|reflexivity|apply put_id|].
  1, 2: rewrite marked_row0; eapply row_at; [reflexivity|lia|lia].
  replace (1 + dy Down + dy Left) with 0 by reflexivity. simpl dx.
  destruct u as [|e u _] using rev_ind.
  - eapply one with (s := Blank) (q' := Seek) (s' := Digit 0) (d := Right) (x' := p)
      (G' := marked r (p + -1) ([0%N] ++ d :: rest) p);
      [reflexivity|discriminate|exact I|exact I| |simpl dx; lia|reflexivity|apply marked_put, row_front|].
    + rewrite marked_row0. apply row_out. simpl length in Hp. lia.
    + simpl length in Hp. lia.
    + apply H; [now right|]. simpl length. lia.
  - apply Forall_app in Hu as [_ He]. inversion He as [|? ? He' _]; subst.
    rewrite app_length in *; simpl length in *.
    eapply one with (s := Digit e) (q' := Seek) (s' := Digit e) (d := Right);
      [reflexivity|discriminate|exact I|exact He'| |reflexivity|reflexivity|apply put_id|].
    1, 2: rewrite marked_row0; apply row_at with (u := u) (v := d :: rest); [words|lia|lia].
    replace (x0 + Z.of_nat (length u + 1) + -1 + dx Right) with (x0 + Z.of_nat (length u + 1)) by (simpl dx; lia).
    apply H; [left; split; trivial; now destruct u|]. rewrite app_length. reflexivity.
Qed.

(** right: to the last symbol of the word. *)
Lemma righting r w v x0 p (Q : nat -> grid -> Prop) :
  digits r v -> p = x0 + len w -> forall b, digits r b ->
  ends r Take (p + len v + len b) 0 (marked r x0 (w ++ v ++ (r + 1)%N :: b) p)
    (fun k => Q (length v + length b + 2 + k)%nat) ->
  ends r Seek p 0 (marked r x0 (w ++ v ++ (r + 1)%N :: b) p) Q.
Proof.
  intros Hv Hp b Hb H.
  apply walk with (d := Right) (n := (length v + length b + 1)%nat) (x' := p + len v + len b + 1);
    [now right|exact I|simpl dx; lia| |].
  - intros i Hi. simpl dx. rewrite marked_row0.
    destruct (row_split (v ++ (r + 1)%N :: b) p (p + i)) as (u' & s & v' & E & Hu').
    { rewrite app_length. simpl length. lia. }
    assert (Hs : (s < r)%N \/ s = (r + 1)%N).
    { assert (Hin : In s (v ++ (r + 1)%N :: b)) by (rewrite E; apply in_elt).
      apply in_app_or in Hin as [Hin|[Hin|Hin]]; [left|now right|left];
        [rewrite Forall_forall in Hv; now apply Hv|rewrite Forall_forall in Hb; now apply Hb]. }
    exists (if (s <? r)%N then Digit s else Plus).
    assert (Hat : row r x0 (w ++ v ++ (r + 1)%N :: b) (p + 1 * i) 0 = s).
    { apply row_at with (u := w ++ u') (v := v'); [rewrite E; words|reflexivity|]. rewrite app_length. lia. }
    rewrite Hat. destruct (N.ltb_spec s r); simpl; repeat split; trivial; lia.
  - eapply one with (s := Blank) (q' := Take) (s' := Blank) (d := Left) (x' := p + len v + len b);
      [reflexivity|discriminate|exact I|exact I| |simpl dx; lia|reflexivity|apply put_id|].
    1, 2: rewrite marked_row0; apply row_out; rewrite !app_length; simpl length; lia.
    eapply ends_weaken; [exact H|]. intros k h. cbv beta.
    replace (length v + length b + 1 + (1 + k))%nat with (length v + length b + 2 + k)%nat by lia. trivial.
Qed.

(** Along the blanks of row 1 to the marker, n cells away. *)
Lemma along r q d x0 w p n x (Q : nat -> grid -> Prop) : d = Left \/ d = Right -> phase_ok r q ->
  rule r q Blank = Some (q, Blank, d) -> p = x + dx d * Z.of_nat n ->
  ends r q p 1 (marked r x0 w p) (fun k => Q (n + k)%nat) -> ends r q x 1 (marked r x0 w p) Q.
Proof.
  intros Hd Hq Hr Hp H. eapply walk; [exact Hd|exact Hq|exact Hp| |exact H].
  intros i Hi. exists Blank. repeat split; trivial. apply marked_blank.
  destruct Hd; subst d; simpl dx in *; lia.
Qed.

(** take, add, back: the last digit k of b is erased and added to the number h, and the marker erased. *)
Lemma taking r h v b k x0 p (Q : nat -> grid -> Prop) : (2 <= r)%N ->
  p = x0 + len h - 1 -> digits r h -> h <> [] -> (k < r)%N -> (value r h + k < r ^ size h)%N ->
  (forall h' c, length h' = length h -> digits r h' -> value r h' = (value r h + k)%N ->
     (sum h' + N.of_nat c * (r - 1) = sum h + k)%N ->
     ends r Mark (p - 1) 1 (row r x0 (h' ++ v ++ (r + 1)%N :: b))
       (fun j => Q (length v + length b + 6 + 2 * c + j)%nat)) ->
  ends r Take (p + len v + len b + 2) 0 (marked r x0 (h ++ v ++ (r + 1)%N :: b ++ [k]) p) Q.
Proof.
  intros Hr Hp Hh Hne Hk Hv H. set (w := h ++ v ++ (r + 1)%N :: b).
  assert (Hw : h ++ v ++ (r + 1)%N :: b ++ [k] = w ++ [k]) by (unfold w; words). rewrite Hw.
  assert (Hl : len w = len h + len v + len b + 1) by (unfold w; rewrite !app_length; simpl length; lia).
  eapply one with (s := Digit k) (q' := Add k) (s' := Blank) (d := Up) (G' := marked r x0 w p);
    [reflexivity|discriminate|exact I|exact Hk| |reflexivity|reflexivity|apply marked_put, row_drop; lia|].
  { rewrite marked_row0. eapply row_at; [reflexivity|reflexivity|lia]. }
  replace (0 + dy Up) with 1 by reflexivity. simpl dx.
  eapply along with (d := Left) (n := (length v + length b + 2)%nat); [now left|exact Hk|reflexivity|simpl dx; lia|].
  eapply one with (s := Plus) (q' := Add k) (s' := Plus) (d := Down) (x' := p);
    [reflexivity|discriminate|exact Hk|exact I|apply marked_mark|simpl dx; lia|reflexivity|apply put_id, marked_mark|].
  replace (1 + dy Down) with 0 by reflexivity.
  apply ripple; trivial; [now left|].
  intros h' c Hl' Hh' Hv' Hs'.
  eapply along with (d := Right) (n := c); [now right|exact I|reflexivity|simpl dx; lia|].
  eapply one with (s := Plus) (q' := Mark) (s' := Blank) (d := Left) (x' := p - 1);
    [reflexivity|discriminate|exact I|exact I|apply marked_mark|simpl dx; lia|reflexivity|apply marked_erase|].
  eapply ends_weaken; [apply (H h' c); assumption|]. cbv beta. intros j g.
  replace (length v + length b + 6 + 2 * c + j)%nat
    with (1 + (length v + length b + 2 + (1 + (1 + c + (c + (1 + j))))))%nat by lia. trivial.
Qed.

(** take, finish: b is used up. *)
Lemma finishing r h v x0 p (Q : nat -> grid -> Prop) : p = x0 + len h - 1 ->
  (forall g, same g (row r x0 (h ++ v)) -> Q (length v + 3)%nat g) ->
  ends r Take (p + len v + 1) 0 (marked r x0 (h ++ v ++ [r + 1]%N) p) Q.
Proof.
  intros Hp HQ.
  assert (Hl : len (h ++ v) = len h + len v) by (rewrite !app_length; lia).
  rewrite app_assoc.
  eapply one with (s := Plus) (q' := Finish) (s' := Blank) (d := Up) (G' := marked r x0 (h ++ v) p);
    [reflexivity|discriminate|exact I|exact I| |reflexivity|reflexivity|apply marked_put, row_drop; lia|].
  { rewrite marked_row0. eapply row_at; [reflexivity|reflexivity|lia]. }
  replace (0 + dy Up) with 1 by reflexivity. simpl dx.
  eapply along with (d := Left) (n := (length v + 1)%nat); [now left|exact I|reflexivity|simpl dx; lia|].
  eapply last_one with (s := Plus) (s' := Blank);
    [reflexivity|exact I|exact I|apply marked_mark|apply marked_erase|].
  intros g Hg. replace (1 + (length v + 1 + 1))%nat with (length v + 3)%nat by lia. now apply HQ.
Qed.
