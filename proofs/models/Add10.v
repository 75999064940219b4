(** Addition in radix 10: its certificate and weights are in src/dfst/models/add10. The data is Required without Import,
    so that no name in it can stand for one of ours. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 files.Certified models.Chain.
From Dfst Require adder.Machine adder.Teacher models.data.add10.

(** The verified checker accepts the certificate. *)
Lemma judged : shows_equal data.add10.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The teacher in the certificate has the rules of the machine that is proven in adder/. *)
Lemma same_rules : has_rules_of (teacher data.add10.given) (adder.Machine.adder 10) 19 10 (-1) 0 0 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma row : same_row (teacher data.add10.given) (learner data.add10.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The one-hot weights of the learner are the file of this hash. *)
Definition weights : list N := one_hot_file data.add10.header (learner data.add10.given) data.add10.dimension.
Lemma hash : sha256 weights = data.add10.weights_hash.
Proof. vm_cast_no_check (eq_refl data.add10.weights_hash). Qed.
Lemma network : has_weights_of weights (learner data.add10.given) data.add10.dimension = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition proven := whole_chain _ _ _ _ _ _ _ _ _ _ _ _ judged same_rules row hash network
  (adder.Teacher.adder_adds 10 ltac:(discriminate)).
