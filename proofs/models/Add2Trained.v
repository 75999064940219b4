(** The trained network of addition in radix 2, src/dfst/models/add2/rounded.safetensors, its hidden state rounded to 5
    bits. The certificate, and what is proven of its teacher, are those of Add2.v. *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 network.Trained models.Chain.
From Dfst Require adder.Teacher models.data.add2 models.Add2.

Lemma hash : sha256 data.add2.trained = data.add2.trained_hash.
Proof. vm_cast_no_check (eq_refl data.add2.trained_hash). Qed.

(** It goes along the certificate: about 260,000 pairs of a member and a vector that it can have there. *)
Lemma along : trained_along data.add2.given data.add2.trained 5 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition proven := trained_proven _ _ _ models.Add2.never_stuck along _ _ hash
  (trained_computes _ _ _ _ _ _ _ _ _ _ _ models.Add2.never_stuck models.Add2.same_rules along
    (adder.Teacher.adder_adds 2 ltac:(discriminate))).
