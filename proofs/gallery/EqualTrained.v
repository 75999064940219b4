(** Trained networks of the gallery, src/dfst/teachers/gallery/NAME.rounded.safetensors, that act like their teachers on
    every input, their hidden state rounded. Of double, halve and increment more is proven, in DecimalTrained.v. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement files.Sha256 files.Certified network.Trained.
From Dfst Require gallery.data.binary_to_decimal gallery.data.brackets gallery.data.collatz gallery.data.compare
  gallery.data.copy gallery.data.divide gallery.data.gcd gallery.data.meander gallery.data.palindrome
  gallery.data.reverse gallery.data.rule110 gallery.data.sort_bits gallery.data.subtract gallery.data.unary_to_binary.

(** What is computed: the verified checker accepts the certificate, the file has this hash, the network goes along. *)
Definition follows (c : certificate) (file : list N) (hash bits : N) : bool :=
  match shows c with Some (true, true) => (sha256 file =? hash)%N && trained_along c file bits | _ => false end.

Theorem follows_proven c file hash bits : follows c file hash bits = true ->
  exists T W t w, sha256 T = teacher_hash c /\ sha256 W = hash /\ Dfst.files.Agent.read T = Some t /\
    Dfst.files.Safetensors.trained_in W = Some w /\ acts_like t bits w /\ True.
Proof.
  unfold follows. intros E. destruct (shows c) as [[[] []]|] eqn:J; try discriminate.
  apply andb_prop in E as [Hash Along]. apply N.eqb_eq in Hash.
  apply (trained_proven c file bits J Along (fun _ => True) hash Hash). auto.
Qed.

Lemma binary_to_decimal : follows data.binary_to_decimal.given data.binary_to_decimal.trained data.binary_to_decimal.trained_hash 2 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma brackets : follows data.brackets.given data.brackets.trained data.brackets.trained_hash 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma collatz : follows data.collatz.given data.collatz.trained data.collatz.trained_hash 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma compare : follows data.compare.given data.compare.trained data.compare.trained_hash 5 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma copy : follows data.copy.given data.copy.trained data.copy.trained_hash 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma divide : follows data.divide.given data.divide.trained data.divide.trained_hash 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma gcd : follows data.gcd.given data.gcd.trained data.gcd.trained_hash 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma meander : follows data.meander.given data.meander.trained data.meander.trained_hash 6 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma palindrome : follows data.palindrome.given data.palindrome.trained data.palindrome.trained_hash 2 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma reverse : follows data.reverse.given data.reverse.trained data.reverse.trained_hash 5 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma rule110 : follows data.rule110.given data.rule110.trained data.rule110.trained_hash 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma sort_bits : follows data.sort_bits.given data.sort_bits.trained data.sort_bits.trained_hash 2 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma subtract : follows data.subtract.given data.subtract.trained data.subtract.trained_hash 4 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma unary_to_binary : follows data.unary_to_binary.given data.unary_to_binary.trained data.unary_to_binary.trained_hash 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
