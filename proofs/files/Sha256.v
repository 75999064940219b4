(** SHA-256 (FIPS 180-4), to name a text by the number that `dfst check` and sha256sum print. *)
From Coq Require Import NArith List.
Import ListNotations.
Local Open Scope N_scope.

Definition word := 4294967295. (* 32 ones *)
Definition plus (a b : N) : N := N.land (a + b) word.
Definition rotate (n : N) (x : N) : N := N.lor (N.shiftr x n) (N.land (N.shiftl x (32 - n)) word).
Definition complement (x : N) : N := N.lxor x word.

Definition constants : list N := [
  0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
  0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
  0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
  0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
  0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
  0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
  0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
  0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2].

(** The state is eight words; the schedule is a window of the next sixteen words. *)
Record hash := H { a : N; b : N; c : N; d : N; e : N; f : N; g : N; h : N }.
Definition initial : hash :=
  H 0x6a09e667 0xbb67ae85 0x3c6ef372 0xa54ff53a 0x510e527f 0x9b05688c 0x1f83d9ab 0x5be0cd19.

Definition round (s : hash) (k w : N) : hash :=
  let s1 := N.lxor (N.lxor (rotate 6 (e s)) (rotate 11 (e s))) (rotate 25 (e s)) in
  let ch := N.lxor (N.land (e s) (f s)) (N.land (complement (e s)) (g s)) in
  let t1 := N.land (h s + s1 + ch + k + w) word in
  let s0 := N.lxor (N.lxor (rotate 2 (a s)) (rotate 13 (a s))) (rotate 22 (a s)) in
  let maj := N.lxor (N.lxor (N.land (a s) (b s)) (N.land (a s) (c s))) (N.land (b s) (c s)) in
  H (N.land (t1 + s0 + maj) word) (a s) (b s) (c s) (plus (d s) t1) (e s) (f s) (g s).

(** The next word from those 16, 15, 7 and 2 before it. *)
Definition scheduled (w16 w15 w7 w2 : N) : N :=
  let s0 := N.lxor (N.lxor (rotate 7 w15) (rotate 18 w15)) (N.shiftr w15 3) in
  let s1 := N.lxor (N.lxor (rotate 17 w2) (rotate 19 w2)) (N.shiftr w2 10) in
  N.land (w16 + s0 + w7 + s1) word.

Fixpoint rounds (ks : list N) (s : hash) (window : list N) : hash :=
  match ks, window with
  | k :: ks, w0 :: (w1 :: _ :: _ :: _ :: _ :: _ :: _ :: _ :: w9 :: _ :: _ :: _ :: _ :: w14 :: _) as rest =>
      rounds ks (round s k w0) (rest ++ [scheduled w0 w1 w9 w14])
  | _, _ => s
  end.

Definition block (s : hash) (words : list N) : hash :=
  let t := rounds constants s words in
  H (plus (a s) (a t)) (plus (b s) (b t)) (plus (c s) (c t)) (plus (d s) (d t))
    (plus (e s) (e t)) (plus (f s) (f t)) (plus (g s) (g t)) (plus (h s) (h t)).

Definition big_endian (bytes : list N) : N := fold_left (fun n x => n * 256 + x) bytes 0.

(** Bytes taken four by four, words taken sixteen by sixteen. *)
Fixpoint absorb (bytes : list N) (rev_words : list N) (count : nat) (s : hash) : hash :=
  match bytes with
  | w :: x :: y :: z :: rest =>
      let words := big_endian [w; x; y; z] :: rev_words in
      match count with
      | O => absorb rest [] 15 (block s (rev words))
      | S n => absorb rest words n s
      end
  | _ => s
  end.

Fixpoint bytes_from (n : nat) (x : N) : list N := (* the n lowest bytes, the highest first *)
  match n with O => [] | S n => bytes_from n (N.shiftr x 8) ++ [N.land x 255] end.

Definition padding (length : N) : list N :=
  128 :: repeat 0 (N.to_nat ((55 + 64 - length mod 64) mod 64)) ++ bytes_from 8 (length * 8).

Definition sha256 (bytes : list N) : N :=
  let s := absorb (bytes ++ padding (N.of_nat (length bytes))) [] 15 initial in
  fold_left (fun n x => N.shiftl n 32 + x) [a s; b s; c s; d s; e s; f s; g s; h s] 0.

(** The examples of the standard: no bytes, and abc. *)
Example sha256_of_nothing : sha256 [] = 0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.
Proof. vm_compute. reflexivity. Qed.
Example sha256_of_abc : sha256 [97; 98; 99] = 0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.
Proof. vm_compute. reflexivity. Qed.
