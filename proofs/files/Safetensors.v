(** The network in a file of weights, byte by byte: a safetensors file is eight bytes (the length of its header, the
    lowest byte first), the header (JSON: for each tensor its shape, and where its bytes begin and end), the bytes. *)
From Coq Require Import ZArith NArith List Bool Init.Byte.
From Dfst Require Import Statement checker.Tree files.Json files.Agent.
Import ListNotations.

Definition little_endian (bytes : list N) : N := fold_right (fun x n => x + 256 * n)%N 0%N bytes.

(** float32, exactly, as a multiple of 2^-149, its smallest number above 0: a sign, 8 bits e, 23 bits m. The number is
    2^(e-1) (2^23 + m), or m where e = 0. None: infinities and what is not a number, where e = 255. *)
Definition float32 (word : N) : option Z :=
  let e := N.land (N.shiftr word 23) 255 in
  let m := N.land word (N.ones 23) in
  let size := Z.of_N (if e =? 0 then m else N.shiftl (2 ^ 23 + m) (e - 1))%N in
  if (e =? 255)%N then None else Some (if N.testbit word 31 then (- size)%Z else size).

(** The floats 0 and 1 alone, as 0 and 1. *)
Definition zero_or_one (word : N) : option Z :=
  match word with 0 => Some 0%Z | 0x3f800000 => Some 1%Z | _ => None end%N.

Section Numbers.
Variable number : N -> option Z.

Fixpoint floats (bytes : list N) : option (list Z) :=
  match bytes with
  | [] => Some []
  | w :: x :: y :: z :: rest =>
      do n <- number (little_endian [w; x; y; z]);
      do fs <- floats rest;
      Some (n :: fs)
  | _ => None
  end.

Definition slice {A} (begin end_ : N) (l : list A) : list A :=
  firstn (N.to_nat (end_ - begin)) (skipn (N.to_nat begin) l).

(** (shape, numbers) of one tensor. *)
Definition tensor (header : json) (body : list N) (name : literal) : option (list N * list Z) :=
  do t <- field name header;
  do kind <- field "dtype" t; do kind <- as_text kind;
  do shape <- field "shape" t; do shape <- as_list shape; do shape <- all_some as_natural shape;
  do place <- field "data_offsets" t;
  do place <- (match place with List [begin; end_] => Some (begin, end_) | _ => None end);
  do begin <- as_natural (fst place); do end_ <- as_natural (snd place);
  do numbers <- floats (slice begin end_ body);
  if same_text kind (codes "F32") then Some (shape, numbers) else None.

(** Row-major: entry (x, i, j) of a tensor of shape (_, rows, d) is number (x * rows + i) * d + j. *)
Definition entries (numbers : list Z) (rows d : nat) (x : N) (i j : nat) : Z :=
  nth ((N.to_nat x * rows + i) * d + j) numbers 0%Z.

Definition shaped (shape : list N) (wanted : list nat) : bool :=
  if list_eq_dec N.eq_dec shape (map N.of_nat wanted) then true else false.

(** The four tensors, if their shapes fit. *)
Record tensors := Tensors { of_A : list Z; of_B : list Z; of_C : list Z; of_h0 : list Z; of_symbols : nat }.
Definition tensors_in (file : list N) : option tensors :=
  if negb (are_bytes file) then None else
  let length := N.to_nat (little_endian (firstn 8 file)) in
  let rest := skipn 8 file in
  do header <- parse (firstn length rest);
  let body := skipn length rest in
  do (shape_A, A) <- tensor header body "A";
  do (shape_B, B) <- tensor header body "B";
  do (shape_C, C) <- tensor header body "C";
  do (shape_h, h) <- tensor header body "h0";
  let d := List.length h in
  let k := match shape_A with k :: _ => N.to_nat k | [] => O end in
  if shaped shape_A [k; d; d] && shaped shape_B [k; k; d] && shaped shape_C [k; 5; d] && shaped shape_h [d]
  then Some (Tensors A B C h k) else None.

Definition network_of (file : list N) : option network :=
  do t <- tensors_in file;
  let d := length (of_h0 t) in let k := of_symbols t in
  Some (net d k (entries (of_A t) d d) (entries (of_B t) k d) (entries (of_C t) 5 d) (of_h0 t)).
End Numbers.

(** One-hot weights, as they are; trained weights, each tensor times 2^149: this changes neither which score is the
    largest nor what a vector is rounded to. *)
Definition network_in : list N -> option network := network_of zero_or_one.
Definition trained_in : list N -> option network := network_of float32.
