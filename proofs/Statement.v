(** Read this file. It says what grids, machines, networks, inputs and numbers are, and what is claimed. Only the
    words for what the bytes of a file mean are elsewhere: in files/ (Json.v, Agent.v, Sha256.v, Safetensors.v), and put
    together in models/Chain.v and Theorems.v. What is in all other files, Rocq checks. *)
From Coq Require Import ZArith NArith List Bool.
Import ListNotations.
Local Open Scope Z_scope.

(** * The grid: x grows to the right, y upwards; symbols are numbers *)

Definition grid := Z -> Z -> N.
Definition put (g : grid) (x y : Z) (s : N) : grid :=
  fun x' y' => if (x' =? x) && (y' =? y) then s else g x' y'.
Definition same (g h : grid) : Prop := forall x y, g x y = h x y.

(** A word in row y, from column x to the right; everything else is blank. *)
Definition alone (blank : N) (x y : Z) (word : list N) : grid :=
  fun x' y' => if (y' =? y) && (x <=? x') && (x' <? x + Z.of_nat (length word))
               then nth (Z.to_nat (x' - x)) word blank else blank.

(** * Policies: what acts on the grid *)

Inductive move := Up | Down | Left | Right | Stay.
Definition dx (m : move) : Z := match m with Left => -1 | Right => 1 | _ => 0 end.
Definition dy (m : move) : Z := match m with Up => 1 | Down => -1 | _ => 0 end.

(** In a state, seeing a symbol: the next state, the symbol to write, the move. [Stay]: write, then halt. States are
    numbers for a machine, vectors for a network. *)
Record action (Q : Type) := act { following : Q; written : N; going : move }.
Arguments act {Q}. Arguments following {Q}. Arguments written {Q}. Arguments going {Q}.
Definition policy (Q : Type) := Q -> N -> option (action Q).

Record config (Q : Type) := at_ { state : Q; hx : Z; hy : Z; cells : grid }.
Arguments at_ {Q}. Arguments state {Q}. Arguments hx {Q}. Arguments hy {Q}. Arguments cells {Q}.

Inductive outcome (Q : Type) := Going (c : config Q) | Halted (g : grid) | Stuck.
Arguments Going {Q}. Arguments Halted {Q}. Arguments Stuck {Q}.

Definition step {Q} (m : policy Q) (c : config Q) : outcome Q :=
  match m (state c) (cells c (hx c) (hy c)) with
  | None => Stuck
  | Some a =>
      let g := put (cells c) (hx c) (hy c) (written a) in
      match going a with
      | Stay => Halted g
      | d => Going (at_ (following a) (hx c + dx d) (hy c + dy d) g)
      end
  end.

(** What there is after n steps; a policy that has halted or is stuck remains so. *)
Fixpoint run {Q} (m : policy Q) (n : nat) (c : config Q) : outcome Q :=
  match n with
  | O => Going c
  | S n => match step m c with Going c' => run m n c' | o => o end
  end.

(** [halts m c n g]: from c, the policy halts at its n-th step and leaves the grid g. *)
Inductive halts {Q} (m : policy Q) : config Q -> nat -> grid -> Prop :=
| halts_now : forall c g, step m c = Halted g -> halts m c 1 g
| halts_later : forall c c' n g, step m c = Going c' -> halts m c' n g -> halts m c (S n) g.

(** * Machines are tables: table[state][symbol]; what is not in the table is no rule *)

Definition table := list (list (option (action N))).
Definition lookup (t : table) : policy N := fun q a => nth (N.to_nat a) (nth (N.to_nat q) t []) None.

(** * Networks: h' = A[x] h over the integers; the symbol and the move with the largest score in B[x] h and C[x] h *)

Record network := net {
  dimension : nat; letters : nat;
  A : N -> nat -> nat -> Z; B : N -> nat -> nat -> Z; C : N -> nat -> nat -> Z; (* symbol seen, row, column *)
  h0 : list Z }.

Fixpoint total (n : nat) (term : nat -> Z) : Z := match n with O => 0 | S n => total n term + term n end.
Definition product (rows d : nat) (M : nat -> nat -> Z) (h : list Z) : list Z :=
  map (fun i => total d (fun j => M i j * nth j h 0)) (seq 0 rows).

(** The place of the largest score. A tie for the largest: none, the network is stuck. *)
Definition largest (scores : list Z) : option nat :=
  find (fun i => forallb (fun j => (j =? i)%nat || (nth j scores 0 <? nth i scores 0)) (seq 0 (length scores)))
       (seq 0 (length scores)).
Definition move_of (i : nat) : move := nth i [Up; Down; Left; Right] Stay.

Definition acting (w : network) : policy (list Z) := fun h x =>
  match largest (product (letters w) (dimension w) (B w x) h), largest (product 5 (dimension w) (C w x) h) with
  | Some s, Some m => Some (act (product (dimension w) (dimension w) (A w x) h) (N.of_nat s) (move_of m))
  | _, _ => None
  end.

(** * The same with the hidden state rounded: of trained networks, whose weights are any floats *)

(** With M the largest absolute value, n becomes floor(2^bits n / M + 1/2). None: all are zero, or 2^bits n / M + 1/2 is
    a whole number for some n, a tie between two roundings. *)
Definition rounded (bits : N) (h : list Z) : option (list Z) :=
  let M := fold_right Z.max 0 (map Z.abs h) in
  let twice n := 2 * 2 ^ Z.of_N bits * n + M in
  if (M =? 0) || existsb (fun n => twice n mod (2 * M) =? 0) h then None else Some (map (fun n => twice n / (2 * M)) h).

(** Scores are those of the rounded vector; without one the network is stuck. *)
Definition rounding (bits : N) (w : network) : policy (option (list Z)) := fun h x =>
  match h with
  | None => None
  | Some h => match acting w h x with
              | None => None
              | Some a => Some (act (rounded bits (following a)) (written a) (going a))
              end
  end.

(** * Inputs *)

(** A part of an input: a set of symbols (the bits of a number), and whether one or more of them stand there (true) or
    exactly one. The word is written in row 0 from column 0 on. *)
Definition part := (N * bool)%type.
Inductive matches : list part -> list N -> Prop :=
| matches_end : matches [] []
| matches_last : forall set many ps a w,
    N.testbit set a = true -> matches ps w -> matches ((set, many) :: ps) (a :: w)
| matches_more : forall set ps a w,
    N.testbit set a = true -> matches ((set, true) :: ps) w -> matches ((set, true) :: ps) (a :: w).

(** A machine together with the world it acts in: how many symbols there are, which is the blank, the input's parts,
    where the head starts, the row of the answer. *)
Record agent := Agent {
  symbols : N; blank : N; parts : list part; head_x : Z; head_y : Z; answer_row : Z; start : N; rules : table }.
Definition input {Q} (a : agent) (first : Q) (w : list N) : config Q :=
  at_ first (head_x a) (head_y a) (alone (blank a) 0 0 w).
Definition begins (a : agent) : list N -> config N := input a (start a).

(** * Claim 1: the learner does what the teacher does, on every input *)

(** Both go on, with the same head and grid; or both have halted, with the same grid; or both are stuck. *)
Definition alike {Q Q'} (o : outcome Q) (o' : outcome Q') : Prop :=
  match o, o' with
  | Going c, Going c' => hx c = hx c' /\ hy c = hy c' /\ cells c = cells c'
  | Halted g, Halted g' => g = g'
  | Stuck, Stuck => True
  | _, _ => False
  end.
Definition equal (teacher learner : agent) : Prop := forall w, matches (parts teacher) w -> forall n,
  alike (run (lookup (rules teacher)) n (begins teacher w)) (run (lookup (rules learner)) n (begins learner w)).
(** The weaker scope: up to where the teacher is stuck. *)
Definition equal_until_stuck (teacher learner : agent) : Prop := forall w, matches (parts teacher) w -> forall n,
  run (lookup (rules teacher)) n (begins teacher w) <> Stuck ->
  alike (run (lookup (rules teacher)) n (begins teacher w)) (run (lookup (rules learner)) n (begins learner w)).

(** * Claim 2: it adds, it multiplies *)

(** Digits, the most significant first. *)
Definition value (radix : N) (digits : list N) : N := fold_left (fun v d => v * radix + d)%N digits 0%N.
Definition numeral (radix : N) (digits : list N) : Prop := digits <> [] /\ Forall (fun d => d < radix)%N digits.

(** In the alphabets of arithmetic the digits are 0 .. radix-1, the blank is radix, the sign (+ or ×) radix + 1. *)
Definition problem (radix : N) (a b : list N) : grid := alone radix 0 0 (a ++ [radix + 1]%N ++ b).

(** From the first state, with the head on (x, y) and a sign b on the grid, for all numerals a and b: it halts, after at
    most so many steps, and what it leaves is one numeral of the value (op a b), in the row named, and nothing else. *)
Definition computes {Q} (m : policy Q) (first : Q) (radix : N) (x y row : Z) (op : N -> N -> N)
    (steps : nat -> nat -> nat) : Prop :=
  forall a b, numeral radix a -> numeral radix b -> exists n g x' c,
    (n <= steps (length a) (length b))%nat /\ halts m (at_ first x y (problem radix a b)) n g /\
    same g (alone radix x' row c) /\ numeral radix c /\ value radix c = op (value radix a) (value radix b).

(** * Claim 3: it turns one decimal number into another *)

(** From the first state, with the head on (x, y) and the digits u on the grid, for every decimal numeral u: it halts,
    and what it leaves is one numeral of the value (f u), in row 0, and nothing else. *)
Definition turns {Q} (m : policy Q) (first : Q) (x y : Z) (f : N -> N) : Prop :=
  forall u, numeral 10 u -> exists n g x' c,
    halts m (at_ first x y (alone 10 0 0 u)) n g /\ same g (alone 10 x' 0 c) /\ numeral 10 c /\
    value 10 c = f (value 10 u).
