(** Trained networks of the gallery, src/dfst/teachers/gallery/NAME.rounded.safetensors, that act like their teachers on
    every input, their hidden state rounded. Of increment more is proven, in IncrementTrained.v. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement files.Sha256 files.Certified network.Trained.
From Dfst Require gallery.data.collatz gallery.data.copy gallery.data.gcd gallery.data.halve gallery.data.meander gallery.data.rule110.

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

Lemma collatz : follows data.collatz.given data.collatz.trained data.collatz.trained_hash 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma copy : follows data.copy.given data.copy.trained data.copy.trained_hash 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma gcd : follows data.gcd.given data.gcd.trained data.gcd.trained_hash 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma halve : follows data.halve.given data.halve.trained data.halve.trained_hash 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma meander : follows data.meander.given data.meander.trained data.meander.trained_hash 6 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma rule110 : follows data.rule110.given data.rule110.trained data.rule110.trained_hash 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
