(** Text as bytes, and the little JSON that dfst writes: null, whole numbers, strings, lists, objects; no spaces. *)
From Coq Require Import ZArith NArith List Bool.
From Coq Require Import Init.Byte Strings.Byte.
Import ListNotations.
Local Open Scope N_scope.
Local Open Scope lazy_bool_scope.

(** Literals "like this" are lists of bytes, given by their numbers. *)
Inductive literal := Literal (bytes : list byte).
Definition literal_of (l : list byte) : literal := Literal l.
Definition bytes_of (t : literal) : list byte := let (l) := t in l.
Declare Scope text_scope.
Delimit Scope text_scope with text.
Bind Scope text_scope with literal.
String Notation literal literal_of bytes_of : text_scope.
Definition text := list N.
Definition are_bytes : text -> bool := forallb (fun c => c <? 256). (* SHA-256 is that of a file only of bytes *)
Definition codes (t : literal) : text := map to_N (bytes_of t).

Fixpoint same_text (s t : text) : bool :=
  match s, t with
  | [], [] => true
  | a :: s, b :: t => if a =? b then same_text s t else false
  | _, _ => false
  end.

(** A string is kept as it is spelled, escapes and all: Python spells the same string always the same. *)
Inductive json := Null | Number (n : Z) | Str (s : text) | List (l : list json) | Object (l : list (text * json)).

Definition code (c : byte) : N := to_N c.
Definition quote : N := 34.

(** Up to the closing quote; a backslash keeps the next character from closing. *)
Fixpoint string_end (s : text) : option (text * text) :=
  match s with
  | [] => None
  | c :: s =>
      if c =? quote then Some ([], s)
      else if c =? code "\" then
        match s with
        | [] => None
        | d :: s => match string_end s with Some (w, s) => Some (c :: d :: w, s) | None => None end
        end
      else match string_end s with Some (w, s) => Some (c :: w, s) | None => None end
  end.

Fixpoint digits_end (s : text) (value : N) : N * text :=
  match s with
  | c :: s' => if (48 <=? c) && (c <=? 57) then digits_end s' (value * 10 + (c - 48)) else (value, s)
  | [] => (value, s)
  end.

(** The value at the beginning of the text, and what follows it. The fuel is the length of the text. *)
Fixpoint parse_value (fuel : nat) (s : text) : option (json * text) :=
  match fuel, s with
  | S f, c :: s' =>
      if c =? quote then match string_end s' with Some (w, s) => Some (Str w, s) | None => None end
      else if c =? code "[" then
        match s' with
        | d :: s'' => if d =? code "]" then Some (List [], s'')
                      else match parse_elements f s' with Some (l, s) => Some (List l, s) | None => None end
        | [] => None
        end
      else if c =? code "{" then
        match s' with
        | d :: s'' => if d =? code "}" then Some (Object [], s'')
                      else match parse_fields f s' with Some (l, s) => Some (Object l, s) | None => None end
        | [] => None
        end
      else if c =? code "n" then
        match s' with
        | u :: l :: l' :: s => if same_text [u; l; l'] (codes "ull") then Some (Null, s) else None
        | _ => None
        end
      else if c =? code "-" then
        match s' with
        | d :: _ => if (48 <=? d) && (d <=? 57)
                    then let (n, s) := digits_end s' 0 in Some (Number (- Z.of_N n), s) else None
        | [] => None
        end
      else if (48 <=? c) && (c <=? 57) then let (n, s) := digits_end s 0 in Some (Number (Z.of_N n), s)
      else None
  | _, _ => None
  end
with parse_elements (fuel : nat) (s : text) : option (list json * text) :=
  match fuel with
  | O => None
  | S f => match parse_value f s with
           | Some (v, c :: s) =>
               if c =? code "]" then Some ([v], s)
               else if c =? code "," then
                 match parse_elements f s with Some (l, s) => Some (v :: l, s) | None => None end
               else None
           | _ => None
           end
  end
with parse_fields (fuel : nat) (s : text) : option (list (text * json) * text) :=
  match fuel with
  | O => None
  | S f => match parse_value f s with
           | Some (Str key, colon :: s) =>
               if colon =? code ":" then
                 match parse_value f s with
                 | Some (v, c :: s) =>
                     if c =? code "}" then Some ([(key, v)], s)
                     else if c =? code "," then
                       match parse_fields f s with Some (l, s) => Some ((key, v) :: l, s) | None => None end
                     else None
                 | _ => None
                 end
               else None
           | _ => None
           end
  end.

(** The whole text is one value; only spaces may follow it. *)
Definition parse (s : text) : option json :=
  match parse_value (S (length s)) s with
  | Some (v, rest) => if forallb (N.eqb 32) rest then Some v else None
  | None => None
  end.

(** * Taking a value apart *)

Definition field (key : literal) (v : json) : option json :=
  match v with
  | Object l => match find (fun kv => same_text (fst kv) (codes key)) l with Some kv => Some (snd kv) | None => None end
  | _ => None
  end.
Definition as_list (v : json) : option (list json) := match v with List l => Some l | _ => None end.
Definition as_text (v : json) : option text := match v with Str s => Some s | _ => None end.
Definition as_integer (v : json) : option Z := match v with Number n => Some n | _ => None end.
Definition as_natural (v : json) : option N :=
  match v with Number n => if (0 <=? n)%Z then Some (Z.to_N n) else None | _ => None end.
