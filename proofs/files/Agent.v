(** A machine and its world as dfst writes them: the canonical text whose SHA-256 `dfst check` prints. *)
From Coq Require Import ZArith NArith List Bool Init.Byte.
From Dfst Require Import Statement checker.Tree files.Json.
Import ListNotations.

Notation "'do' x <- e ; f" := (match e with Some x => f | None => None end)
  (at level 200, x pattern, e at level 100, f at level 200).

Fixpoint place_in (s : text) (l : list text) (n : N) : option N :=
  match l with [] => None | t :: l => if same_text s t then Some n else place_in s l (N.succ n) end.

(** The set of some symbols, as bits. *)
Definition set_of (alphabet names : list text) : option N :=
  do places <- all_some (fun s => place_in s alphabet 0) names;
  Some (fold_left (fun set n => N.lor set (2 ^ n)) places 0)%N.

(** The name without a + at its end, and whether there was one. *)
Fixpoint without_plus (s : text) : text * bool :=
  match s with
  | [] => ([], false)
  | [c] => if (c =? code "+")%N then ([], true) else ([c], false)
  | c :: s => let (s, many) := without_plus s in (c :: s, many)
  end.

(** A symbol stands for itself; otherwise it is the name of a class, or that with a + (one or more of them). *)
Definition part_of (alphabet : list text) (classes : list (text * json)) (s : text) : option part :=
  match place_in s alphabet 0 with
  | Some n => Some ((2 ^ n)%N, false)
  | None =>
      let (name, many) := without_plus s in
      do kv <- List.find (fun kv => same_text (fst kv) name) classes;
      do members <- as_list (snd kv);
      do names <- all_some as_text members;
      do set <- set_of alphabet names;
      Some (set, many)
  end.

Definition move_named (n : Z) : option move :=
  match n with 0 => Some Up | 1 => Some Down | 2 => Some Left | 3 => Some Right | 4 => Some Stay | _ => None end%Z.

(** null, or [next state, symbol, move]. The next state is -1 if and only if the machine halts (here it becomes 0: after
    halting it means nothing). *)
Definition entry_of (v : json) : option (option (action N)) :=
  match v with
  | Null => Some None
  | List [Number next; symbol; Number moved] =>
      do w <- as_natural symbol;
      do m <- move_named moved;
      match m with
      | Stay => if (next =? -1)%Z then Some (Some (act 0%N w Stay)) else None
      | _ => if (0 <=? next)%Z then Some (Some (act (Z.to_N next) w m)) else None
      end
  | _ => None
  end.

Definition row_of (v : json) : option (list (option (action N))) := do l <- as_list v; all_some entry_of l.

Definition agent_of (v : json) : option agent :=
  do symbols <- field "symbols" v; do symbols <- as_list symbols; do alphabet <- all_some as_text symbols;
  do blank <- field "blank" v; do blank <- as_text blank; do blank <- place_in blank alphabet 0;
  do classes <- field "classes" v;
  do classes <- (match classes with Object l => Some l | _ => None end);
  do layout <- field "layout" v;
  do names <- field "parts" layout; do names <- as_list names; do names <- all_some as_text names;
  do parts <- all_some (part_of alphabet classes) names;
  do head <- field "head" layout;
  do head <- (match head with List [Number x; Number y] => Some (x, y) | _ => None end);
  do row <- field "answer_row" layout; do row <- as_integer row;
  do start <- field "start" v; do start <- as_natural start;
  do rows <- field "table" v; do rows <- as_list rows; do rules <- all_some row_of rows;
  Some (Agent (N.of_nat (length alphabet)) blank parts (fst head) (snd head) row start rules).

Definition read (s : text) : option agent := if are_bytes s then do v <- parse s; agent_of v else None.
