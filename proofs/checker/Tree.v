(** A list with fast access by number: certificates have tens of thousands of members, and refer to them by number. *)
From Coq Require Import NArith List Bool.
Import ListNotations.
Local Open Scope lazy_bool_scope. (* a &&& b is [if a then b else false]: vm_compute must not evaluate b in vain *)

(** The path to a node is the number's bits, the lowest first. Of [build] nothing has to be known: whatever it builds,
    the checker checks what it finds there. *)
Inductive tree (A : Type) := Leaf | Node (l : tree A) (v : option A) (r : tree A).
Arguments Leaf {A}.
Arguments Node {A}.

Fixpoint find {A} (p : positive) (t : tree A) : option A :=
  match t, p with
  | Leaf, _ => None
  | Node _ v _, xH => v
  | Node l _ _, xO p => find p l
  | Node _ _ r, xI p => find p r
  end.
Definition get {A} (n : N) (t : tree A) : option A := find (N.succ_pos n) t.

Fixpoint insert {A} (p : positive) (v : A) (t : tree A) : tree A :=
  match p, t with
  | xH, Leaf => Node Leaf (Some v) Leaf
  | xH, Node l _ r => Node l (Some v) r
  | xO p, Leaf => Node (insert p v Leaf) None Leaf
  | xO p, Node l w r => Node (insert p v l) w r
  | xI p, Leaf => Node Leaf None (insert p v Leaf)
  | xI p, Node l w r => Node l w (insert p v r)
  end.
Fixpoint build_from {A} (p : positive) (l : list A) (t : tree A) : tree A :=
  match l with [] => t | v :: l => build_from (Pos.succ p) l (insert p v t) end.
Definition build {A} (l : list A) : tree A := build_from 1 l Leaf.

Fixpoint every {A} (f : A -> bool) (t : tree A) : bool :=
  match t with
  | Leaf => true
  | Node l v r => match v with Some v => f v | None => true end &&& every f l &&& every f r
  end.

Lemma every_find {A} (f : A -> bool) : forall t p v, every f t = true -> find p t = Some v -> f v = true.
Proof.
  induction t as [|l IHl w r IHr]; intros p v E F; [destruct p; discriminate|].
  cbn [every] in E.
  destruct (match w with Some v => f v | None => true end) eqn:W; [|discriminate].
  destruct (every f l) eqn:El; [|discriminate].
  destruct p; cbn [find] in F; [eapply IHr|eapply IHl|subst w]; eauto.
Qed.

(** All results, or none if one is missing. *)
Fixpoint all_some {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l => match f a with
              | None => None
              | Some b => match all_some f l with None => None | Some bs => Some (b :: bs) end
              end
  end.

Lemma all_some_in {A B} (f : A -> option B) : forall l bs a,
  all_some f l = Some bs -> In a l -> exists b, f a = Some b /\ In b bs.
Proof.
  induction l as [|c l IH]; intros bs a E I; [destruct I|].
  cbn in E. destruct (f c) as [b|] eqn:F; [|discriminate].
  destruct (all_some f l) as [r|]; [|discriminate]. injection E as <-.
  destruct I as [->|I]; [exists b; cbn; auto|].
  destruct (IH r a eq_refl I) as (b' & ? & ?). exists b'. cbn. auto.
Qed.

Lemma all_some_from {A B} (f : A -> option B) : forall l bs b,
  all_some f l = Some bs -> In b bs -> exists a, In a l /\ f a = Some b.
Proof.
  induction l as [|c l IH]; intros bs b E I; cbn in E; [injection E as <-; destruct I|].
  destruct (f c) as [d|] eqn:F; [|discriminate].
  destruct (all_some f l) as [r|]; [|discriminate]. injection E as <-.
  destruct I as [<-|I]; [exists c; cbn; auto|].
  destruct (IH r b eq_refl I) as (a & ? & ?). exists a. cbn. auto.
Qed.

Fixpoint set_nth {A} (n : nat) (v : A) (l : list A) : list A :=
  match l, n with
  | [], _ => []
  | _ :: l, O => v :: l
  | w :: l, S n => w :: set_nth n v l
  end.
