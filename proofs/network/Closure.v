(** With which vectors a rounded network can be at each member of a certificate. They are found by a search, of which
    nothing is proven, and then checked: the first is at all starts; at each the network does what the teacher does; and
    its next vector is at all members that follow. Closed.v proves what that means. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Tree checker.Check checker.Beside network.Rows.
Import ListNotations.
Local Open Scope lazy_bool_scope.

(** * What is found *)

(** Vectors have numbers. A deed is what the network does with a vector at a symbol: the number of its next vector,
    symbol, move. *)
Definition deeds := list (N * action N).
Definition known := tree (list Z * deeds).
Definition places := tree (N * tree N). (* by member: its number, the numbers of the vectors there *)

(** By member: its steps. *)
Definition paths := tree (list (N * action (list N))).

Definition lookup_symbol {A} (x : N) (l : list (N * A)) : option A :=
  match List.find (fun e => (fst e =? x)%N) l with Some e => Some (snd e) | None => None end.

Definition is_at (p : places) (n i : N) : bool :=
  match get n p with
  | Some (n', ids) => (n' =? n)%N &&& match get i ids with Some j => (j =? i)%N | None => false end
  | None => false
  end.

Fixpoint same_vector (v w : list Z) : bool :=
  match v, w with
  | [], [] => true
  | a :: v, b :: w => (a =? b)%Z &&& same_vector v w
  | _, _ => false
  end.

Section Network.
Variables (bits : N) (weights : list (N * rows)). (* by symbol *)

Definition does (v : list Z) (x : N) : option (action (option (list Z))) :=
  match lookup_symbol x weights with Some r => fast bits r v | None => None end.

(** * Checking *)

(** What is noted of a vector is what the network does. *)
Definition deed_ok (k : known) (v : list Z) (deed : N * action N) : bool :=
  let (x, d) := deed in
  match does v x with
  | Some b => (written b =? written d)%N &&& same_move (going b) (going d) &&&
      (same_move (going d) Stay |||
       match following b, get (following d) k with Some v', Some (u, _) => same_vector v' u | _, _ => false end)
  | None => false
  end.

(** It is what the teacher does, and the next vector is at all members that follow. *)
Definition step_ok (p : places) (ds : deeds) (s : N * action (list N)) : bool :=
  let (x, r) := s in
  match lookup_symbol x ds with
  | Some d => (written d =? written r)%N &&& same_move (going d) (going r) &&&
      (same_move (going r) Stay ||| forallb (fun n => is_at p n (following d)) (following r))
  | None => false
  end.

(** A member with the numbers of the vectors there: this holds of all of them, at every step. *)
Definition place_ok (k : known) (p : places) (steps : paths) (at_member : N * tree N) : bool :=
  let (n, ids) := at_member in
  match get n steps with
  | Some s => every (fun i => match get i k with Some (_, ds) => forallb (step_ok p ds) s | None => false end) ids
  | None => false
  end.

Definition closed (k : known) (p : places) (steps : paths) : bool :=
  every (fun known => forallb (deed_ok k (fst known)) (snd known)) k &&& every (place_ok k p steps) p.

(** * Searching *)

Record found := Found { numbers : tree N; known_ : known; count : N; places_ : places }.

(** A vector as one number. *)
Definition code (v : list Z) : positive :=
  Z.to_pos (fold_left (fun c n => Z.shiftl c (Z.of_N bits + 2) + (n + 2 ^ Z.of_N bits))%Z v 1%Z).

Definition number (v : list Z) (f : found) : N * found :=
  let c := code v in
  match find c (numbers f) with
  | Some i => (i, f)
  | None => (count f, Found (insert c (count f) (numbers f)) (insert (N.succ_pos (count f)) (v, []) (known_ f))
                            (N.succ (count f)) (places_ f))
  end.

(** What the network does with the vector of a number at a symbol, computed once. *)
Definition ask (x i : N) (f : found) : option (action N) * found :=
  match get i (known_ f) with
  | None => (None, f)
  | Some (v, ds) =>
      match lookup_symbol x ds with
      | Some d => (Some d, f)
      | None =>
          match does v x with
          | None => (None, f)
          | Some b =>
              let (next, f) :=
                match going b, following b with Stay, _ | _, None => (0%N, f) | _, Some v' => number v' f end in
              let d := act next (written b) (going b) in
              match get i (known_ f) with
              | None => (None, f)
              | Some (v, ds) =>
                  (Some d, Found (numbers f) (insert (N.succ_pos i) (v, (x, d) :: ds) (known_ f)) (count f) (places_ f))
              end
          end
      end
  end.

Definition search_state := (list (N * N) * found)%type. (* the members with vectors whose steps are still to be made *)

Definition visit (i : N) (s : search_state) (n : N) : search_state :=
  let (todo, f) := s in
  match get n (places_ f) with
  | Some (_, ids) =>
      match get i ids with
      | Some _ => s
      | None => ((n, i) :: todo, Found (numbers f) (known_ f) (count f)
                   (insert (N.succ_pos n) (n, insert (N.succ_pos i) i ids) (places_ f)))
      end
  | None => ((n, i) :: todo, Found (numbers f) (known_ f) (count f)
               (insert (N.succ_pos n) (n, insert (N.succ_pos i) i Leaf) (places_ f)))
  end.

Definition explore (steps : paths) (n i : N) (s : search_state) : search_state :=
  match get n steps with
  | None => s
  | Some l =>
      fold_left (fun s e =>
        let (x, r) := e : N * action (list N) in
        let (o, f) := ask x i (snd s) in
        match o with
        | None => (fst s, f)
        | Some d => fold_left (visit (following d)) (following r) (fst s, f)
        end) l s
  end.

(** At most 2^depth places. *)
Fixpoint search (depth : nat) (steps : paths) (s : search_state) : search_state :=
  match s, depth with
  | ([], _), _ => s
  | ((n, i) :: todo, f), O => explore steps n i (todo, f)
  | _, S depth => search depth steps (search depth steps s)
  end.
End Network.

(** * The network along a certificate *)

(** The largest power of two, as an exponent, that divides all weights. *)
Fixpoint zeros (p : positive) : Z := match p with xO p => 1 + zeros p | _ => 0 end.
Definition power (w : network) : Z :=
  let all m (M : N -> nat -> nat -> Z) := flat_map (fun x => flat_map (fun i =>
    map (M x i) (seq 0 (dimension w))) (seq 0 m)) (upto (N.of_nat (letters w))) in
  let weights := all (dimension w) (A w) ++ all (letters w) (B w) ++ all 5 (C w) in
  match fold_left (fun bits n => Z.lor bits (Z.abs n)) weights 0%Z with
  | Zpos p => zeros p
  | _ => 0
  end.

Definition rows_of (w : network) : option (list (N * rows)) :=
  let k := power w in
  all_some (fun x => match rows_at k w x with Some r => Some (x, r) | None => None end) (upto (N.of_nat (letters w))).

Fixpoint mapped {A B} (f : A -> B) (t : tree A) : tree B :=
  match t with
  | Leaf => Leaf
  | Node l v r => Node (mapped f l) (match v with Some v => Some (f v) | None => None end) (mapped f r)
  end.

(** The network, its hidden state rounded, goes along the certificate: every step of a member, with every vector that it
    can have there. At most 2^24 places. *)
Definition goes_along (t l : agent) (e : evidence) (w : network) (bits : N) : bool :=
  match decode e, rows_of w, rounded bits (h0 w) with
  | Some m, Some weights, Some first =>
      let steps := mapped (steps_of (symbols t) (blank t) (height e) (lookup (rules t)) (lookup (rules l))) m in
      let (i, f) := number bits first (Found Leaf Leaf 0 Leaf) in
      let (_, f) := search bits weights 24 steps (fold_left (visit i) (starts e) ([], f)) in
      match get i (known_ f) with
      | Some (u, _) => same_vector first u &&& forallb (fun n => is_at (places_ f) n i) (starts e) &&&
          closed bits weights (known_ f) (places_ f) steps
      | None => false
      end
  | _, _, _ => false
  end.
