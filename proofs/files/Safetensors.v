(** The network in a file of weights, byte by byte: a safetensors file is eight bytes (the length of its header, the
    lowest byte first), the header (JSON: for each tensor its shape, and where its bytes begin and end), the bytes. *)
From Coq Require Import ZArith NArith List Bool Init.Byte.
From Dfst Require Import Statement checker.Tree files.Json files.Agent.
Import ListNotations.

Definition little_endian (bytes : list N) : N := fold_right (fun x n => x + 256 * n)%N 0%N bytes.

(** float32, of which we read only 0 and 1: 1.0 is 00 00 80 3f, the lowest byte first. *)
Fixpoint floats (bytes : list N) : option (list Z) :=
  match bytes with
  | [] => Some []
  | w :: x :: y :: z :: rest =>
      do fs <- floats rest;
      match w, x, y, z with
      | 0, 0, 0, 0 => Some (0%Z :: fs)
      | 0, 0, 128, 63 => Some (1%Z :: fs)
      | _, _, _, _ => None
      end%N
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

Definition network_in (file : list N) : option network :=
  do t <- tensors_in file;
  let d := length (of_h0 t) in let k := of_symbols t in
  Some (net d k (entries (of_A t) d d) (entries (of_B t) k d) (entries (of_C t) 5 d) (of_h0 t)).
