(** The multiplier of src/dfst/teachers/multiplier.py, for all radices at once. *)
From Coq Require Import ZArith NArith List Bool Lia.
From Dfst Require Import Statement.
Import ListNotations.
Local Open Scope Z_scope.
Local Coercion Z.of_nat : nat >-> Z.

(** * The machine *)

(** Its states by name, as in the Python source. The carries of [sum] and [carry] are 0 or 1. *)
Inductive named :=
  | pick | shift (x : N) | copy (x : N) | over | step_ | gap | right_ | take | bring (d : N) | times (d c : N)
  | return_ | sum (c : N) | plus (v : N) | carry (c : N) | seek | clear | clear_copy | clear_up | clear_next.

(** The rules. Digits are 0 .. r-1, r is the blank, r+1 the sign. After Stay the next state means nothing. *)
Definition delta (r : N) (s : named) (x : N) : option (named * N * move) :=
  (let digit := x <? r in
   let blank := x =? r in
   let sign := x =? r + 1 in
   match s with
   | pick => if digit then Some (shift x, r, Left) else if blank then Some (gap, r, Right)
             else if sign then Some (right_, r + 1, Right) else None
   | shift d => if (d <? r) && blank then Some (copy d, d, Down) else None
   | copy d => if (d <? r) && blank then Some (over, d, Up) else None
   | over => if digit then Some (step_, x, Right) else None
   | step_ => if blank then Some (pick, r, Right) else None
   | gap => if blank then Some (gap, r, Right) else if sign then Some (right_, r + 1, Right) else None
   | right_ => if digit then Some (right_, x, Right) else if blank then Some (take, r, Left) else None
   | take => if digit then Some (bring x, r, Down) else if sign then Some (clear, r, Left) else None
   | bring d => if d <? r then
                  if digit then Some (times d (d * x / r), (d * x) mod r, Left)
                  else if blank then Some (bring d, r, Left) else None
                else None
   | times d c => if (d <? r) && (c <? N.max d 1) then
                    if digit then Some (times d ((d * x + c) / r), (d * x + c) mod r, Left)
                    else if blank then Some (return_, c, Right) else None
                  else None
   | return_ => if digit then Some (return_, x, Right) else if blank then Some (sum 0, r, Left) else None
   | sum c => if c <? 2 then
                if digit then Some (plus (x + c), r, Down)
                else if blank && (c =? 0) then Some (seek, r, Up) else None
              else None
   | plus v => if v <=? r then
                 if digit then Some (carry ((x + v) / r), (x + v) mod r, Up)
                 else if blank && (v <? r) then Some (carry 0, v, Up) else None
               else None
   | carry c => if (c <? 2) && blank then Some (sum c, r, Left) else None
   | seek => if digit then Some (shift x, r, Left) else if blank then Some (seek, r, Right) else None
   | clear => if digit then Some (clear_copy, r, Down) else if blank then Some (clear, r, Left) else None
   | clear_copy => if digit then Some (clear_up, r, Up) else None
   | clear_up => if blank then Some (clear_next, r, Left) else None
   | clear_next => if digit then Some (clear_copy, r, Down) else if blank then Some (pick, r, Stay) else None
   end)%N.

(** m has the rules of the multiplier, under some numbering of its states. (It may have more rules.) *)
Definition follows (m : policy N) (number : named -> N) (q x : N) (rule : option (named * N * move)) : Prop :=
  match rule with
  | None => True
  | Some (_, w, Stay) => exists f, m q x = Some (act f w Stay)
  | Some (s, w, d) => m q x = Some (act (number s) w d)
  end.
Definition implements (m : policy N) (number : named -> N) (r : N) : Prop :=
  forall s x, follows m number (number s) x (delta r s x).
