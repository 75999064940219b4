(** The checker of certificates that two machines on a grid, a teacher and a learner, act alike on every input. It
    follows src/dfst/prove/checker.py and docs/certificates.md; Sound.v proves that what it accepts is so. It does not
    look at hashes, names and limits of work, on which no theorem rests.

    The closest published relative is RepWL of Coq-BB5 (blocks of a tape that stand "exactly k times" or "k or more
    times", closed under steps); ours has columns of a grid instead of words of a tape, sets instead of symbols, two
    machines instead of one, and does not search: the certificate names the member that covers each step. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Tree.
Import ListNotations.
Local Open Scope lazy_bool_scope.

(** * Certificates as data *)

(** A column has a set of symbols for each row, from the lowest on. A run is a column and whether it stands for one or
    more (true) or exactly one (false). A half of the grid has its nearest run first; beyond the last is blank. *)
Definition column := list N.
Definition half := list (column * bool).

(** What is known of the grid: nothing; or the head's row (counted from the lowest), the columns left of the head, the
    column under it, and those right of it. *)
Inductive place := Anywhere | At (row : nat) (left : half) (col : column) (right : half).
Record shape := Shape { tq : N; lq : N; spot : place }. (* teacher's state, learner's state *)

(** In the file: halves and columns by their numbers, then the numbers of the members that cover the successors. *)
Inductive listed :=
| mem (q s : N) (row : nat) (left_no col_no right_no : N) (hints : list N)
| any (q s : N) (hints : list N).

Record evidence := Evidence {
  low : Z; height : nat; columns : list column; halves : list (list (N * bool)); starts : list N;
  members : list listed }.

(** * Small things *)

Definition bit (s : N) : N := (2 ^ s)%N.
Definition upto (n : N) : list N := map N.of_nat (seq 0 (N.to_nat n)).
Definition symbols_in (set : N) : list N := filter (N.testbit set) (upto (N.size set)). (* ascending *)

Fixpoint inside (c d : column) : bool :=
  match c, d with
  | [], [] => true
  | a :: c, b :: d => (N.land a b =? a)%N &&& inside c d
  | _, _ => false
  end.

Definition same_move (m m' : move) : bool :=
  match m, m' with Up, Up | Down, Down | Left, Left | Right, Right | Stay, Stay => true | _, _ => false end.

Fixpoint same_parts (p p' : list part) : bool :=
  match p, p' with
  | [], [] => true
  | (s, m) :: p, (s', m') :: p' => (s =? s')%N &&& Bool.eqb m m' &&& same_parts p p'
  | _, _ => false
  end.

Section World.
Variables (k void : N) (lowest : Z) (rows : nat). (* the number of symbols, the blank, the lowest row, how many rows *)
Variables T M : policy N. (* teacher and learner *)

Definition blanks : column := repeat (bit void) rows.

(** * When one shape covers another *)

(** A half is inside another if its runs can be laid in order onto runs of the other that hold them, hitting every one;
    those of the other that are left over must hold blanks, and beyond its last run only blanks can be laid. A state of
    laying is what comes next of the other half, and whether its first run is a many that has been hit and may be hit
    again. *)
Definition laying := (half * bool)%type.

(** The states after laying a run of the column c onto the beginning of l. *)
Definition laid_onto (c : column) (many : bool) (l : half) : list laying :=
  match l with
  | [] => if inside c blanks then [([], false)] else []
  | (d, wide) :: l' =>
      if inside c d then if wide then [(l, true)] else if many then [] else [(l', false)] else []
  end.
Definition laid_from (c : column) (many : bool) (p : laying) : list laying :=
  laid_onto c many (fst p) ++ (if snd p then laid_onto c many (tl (fst p)) else []).

(** The states of one half differ in length or in the flag; one of each kind is kept, so that there are never many. *)
Fixpoint distinct (l : list laying) : list laying :=
  match l with
  | [] => []
  | p :: l =>
      let rest := distinct l in
      if existsb (fun q => Nat.eqb (length (fst q)) (length (fst p)) &&& Bool.eqb (snd q) (snd p)) rest
      then rest else p :: rest
  end.

Fixpoint laid (small : half) (states : list laying) : bool :=
  match small with
  | [] => existsb (fun p : laying =>
      forallb (fun r => inside blanks (fst r)) (if snd p then tl (fst p) else fst p)) states
  | (c, many) :: small => laid small (distinct (flat_map (laid_from c many) states))
  end.
Definition half_inside (small large : half) : bool := laid small [(large, false)].

Definition covers (c d : shape) : bool :=
  (tq c =? tq d)%N &&& (lq c =? lq d)%N &&&
  match spot c, spot d with
  | _, Anywhere => true
  | Anywhere, At _ _ _ _ => false
  | At row l col r, At row' l' col' r' =>
      Nat.eqb row row' &&& inside col col' &&& half_inside l l' &&& half_inside r r'
  end.

(** * The exact successors of a shape *)

(** The nearest column and what is left, in every way: a run of one or more goes on, or ends with this column. *)
Definition pop (h : half) : list (column * half) :=
  match h with
  | [] => [(blanks, [])]
  | (c, true) :: h' => [(c, h); (c, h')]
  | (c, false) :: h' => [(c, h')]
  end.

(** After writing w, making the move m and changing to the states q and s. None: the head leaves the rows. *)
Definition after (c : place) (q s w : N) (m : move) : option (list shape) :=
  match m, c with
  | Stay, _ => Some []
  | _, Anywhere => Some [Shape q s Anywhere]
  | _, At row l col r =>
      let col := set_nth row (bit w) col in
      match m with
      | Right => Some (map (fun way => Shape q s (At row ((col, false) :: l) (fst way) (snd way))) (pop r))
      | Left => Some (map (fun way => Shape q s (At row (snd way) (fst way) ((col, false) :: r))) (pop l))
      | Up => if Nat.ltb (S row) (length col) then Some [Shape q s (At (S row) l col r)] else None
      | _ => match row with O => None | S row => Some [Shape q s (At row l col r)] end
      end
  end.

(** None: the teacher has a rule and the learner acts differently, or the head leaves the rows. *)
Definition successors (c : shape) (a : N) : option (list shape) :=
  match T (tq c) a, M (lq c) a with
  | None, _ => Some []
  | Some t, Some l =>
      if (written t =? written l)%N &&& same_move (going t) (going l)
      then after (spot c) (following t) (following l) (written t) (going t) else None
  | Some _, None => None
  end.

(** The symbols that the head may see. *)
Definition seen (c : shape) : list N :=
  match spot c with Anywhere => upto k | At row _ col _ => symbols_in (nth row col 0%N) end.

(** * Members *)

Section Members.
Variable t : tree (shape * list N).

(** Each shape is covered by the member that its hint names; there are as many hints as shapes. *)
Fixpoint covered (l : list shape) (hints : list N) : bool :=
  match l, hints with
  | [], [] => true
  | c :: l, n :: hints =>
      match get n t with Some (d, _) => covers c d &&& covered l hints | None => false end
  | _, _ => false
  end.

Definition member_ok (m : shape * list N) : bool :=
  let (c, hints) := m in
  match spot c with Anywhere => true | At row _ col _ => Nat.ltb row (length col) end &&&
  match all_some (successors c) (seen c) with Some l => covered (concat l) hints | None => false end.
End Members.

(** Wherever the teacher has no rule, the learner has none. *)
Definition member_together (m : shape * list N) : bool :=
  forallb (fun a => match T (tq (fst m)) a, M (lq (fst m)) a with None, Some _ => false | _, _ => true end)
    (seen (fst m)).
(** The teacher has a rule for all that it may see. *)
Definition member_never_stuck (m : shape * list N) : bool :=
  forallb (fun a => match T (tq (fst m)) a with Some _ => true | None => false end) (seen (fst m)).

(** * Starts *)

(** What is left of the head, under it and right of it, for all inputs together: the head begins at column 0, or as far
    left of it as it starts, and walks to the right to its column. *)
Definition walk_one (s : half * column * half) : list (half * column * half) :=
  let '(l, c, r) := s in map (fun way => ((c, false) :: l, fst way, snd way)) (pop r).
Fixpoint walk (n : nat) (found : list (half * column * half)) : list (half * column * half) :=
  match n with O => found | S n => walk n (flat_map walk_one found) end.
Definition input_half (ps : list part) : half :=
  map (fun p => (set_nth (Z.to_nat (- lowest)) (fst p) blanks, snd p)) ps.
Definition all_starts (ps : list part) (x : Z) : list (half * column * half) :=
  walk (Z.to_nat x)
    (map (fun way => ([], fst way, snd way)) (pop (repeat (blanks, false) (Z.to_nat (- x)) ++ input_half ps))).

(** * Reading the members in full *)

Definition column_ok (c : column) : bool :=
  Nat.eqb (length c) rows &&& forallb (fun set => (0 <? set)%N &&& (set <? bit k)%N) c.

Definition decode (e : evidence) : option (tree (shape * list N)) :=
  let cs := build (columns e) in
  let run r := match get (fst r) cs with Some d => Some (d, snd r) | None => None end in
  match all_some (all_some run) (halves e) with
  | None => None
  | Some hs =>
      let hs := build hs in
      match all_some (fun m =>
              match m with
              | any q s hints => Some (Shape q s Anywhere, hints)
              | mem q s row l c r hints =>
                  match get l hs, get c cs, get r hs with
                  | Some l, Some c, Some r => Some (Shape q s (At row l c r), hints)
                  | _, _, _ => None
                  end
              end) (members e) with
      | None => None
      | Some ms => Some (build ms)
      end
  end.
End World.

(** * The checker *)

(** The table is a rectangle, and all that it names exists. *)
Definition well_formed (a : agent) : bool :=
  let states := N.of_nat (length (rules a)) in
  let entry e := match e with
    | None => true
    | Some r => (written r <? symbols a)%N &&& (same_move (going r) Stay ||| (following r <? states)%N)
    end in
  (start a <? states)%N &&& (blank a <? symbols a)%N &&&
  forallb (fun row => (N.of_nat (length row) =? symbols a)%N &&& forallb entry row) (rules a) &&&
  negb (match parts a with [] => true | _ => false end) &&&
  forallb (fun p => (fst p <? bit (symbols a))%N &&& negb (N.testbit (fst p) (blank a))) (parts a).

Definition same_world (t l : agent) : bool :=
  (symbols t =? symbols l)%N &&& (blank t =? blank l)%N &&& same_parts (parts t) (parts l) &&&
  (head_x t =? head_x l)%Z &&& (head_y t =? head_y l)%Z.

Definition states_ok (t l : agent) (m : shape * list N) : bool :=
  (tq (fst m) <? N.of_nat (length (rules t)))%N &&& (lq (fst m) <? N.of_nat (length (rules l)))%N.

(** [Some] members if the evidence shows that the learner acts like the teacher up to where that is stuck. *)
Definition checked (t l : agent) (e : evidence) : option (tree (shape * list N)) :=
  let k := symbols t in let void := blank t in let rows := height e in
  match decode e with
  | None => None
  | Some m =>
      if well_formed t &&& well_formed l &&& same_world t l &&&
         (low e <=? Z.min 0 (head_y t))%Z &&& (Z.max 0 (head_y t) <? low e + Z.of_nat rows)%Z &&&
         forallb (column_ok k rows) (columns e) &&& every (states_ok t l) m &&&
         match all_some (fun n => get n m) (starts e) with
         | None => false
         | Some hinted =>
             forallb (fun found => let '(left_, c, right_) := found in
                 existsb (fun d => covers void rows
                     (Shape (start t) (start l) (At (Z.to_nat (head_y t - low e)) left_ c right_)) (fst d)) hinted)
               (all_starts void (low e) rows (parts t) (head_x t))
         end &&&
         every (member_ok k void rows (lookup (rules t)) (lookup (rules l)) m) m
      then Some m else None
  end.

(** What is proven: [Some (together, never_stuck)], or nothing. *)
Definition verdict (t l : agent) (e : evidence) : option (bool * bool) :=
  match checked t l e with
  | None => None
  | Some m => Some (every (member_together (symbols t) (lookup (rules t)) (lookup (rules l))) m,
                    every (member_never_stuck (symbols t) (lookup (rules t))) m)
  end.
