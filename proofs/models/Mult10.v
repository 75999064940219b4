(** Multiplication in radix 10: its certificate and weights are in src/dfst/models/mult10. The data is Required without
    Import, so that no name in it can stand for one of ours. ([vm_cast_no_check]: only the kernel computes, once, at
    [Qed].) *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 files.Certified models.Chain.
From Dfst Require multiplier.Machine multiplier.Teacher models.data.mult10.

(** The verified checker accepts the certificate. *)
Lemma judged : shows_equal data.mult10.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The teacher in the certificate has the rules of the machine that is proven in multiplier/. *)
Lemma same_rules : has_rules_of (teacher data.mult10.given) (multiplier.Teacher.multiplier 10) 103 10 0 0 (-2) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma row : same_row (teacher data.mult10.given) (learner data.mult10.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The one-hot weights of the learner are the file of this hash. *)
Definition weights : list N := one_hot_file data.mult10.header (learner data.mult10.given) data.mult10.dimension.
Lemma hash : sha256 weights = data.mult10.weights_hash.
Proof. vm_cast_no_check (eq_refl data.mult10.weights_hash). Qed.
Lemma network : has_weights_of weights (learner data.mult10.given) data.mult10.dimension = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition proven := whole_chain _ _ _ _ _ _ _ _ _ _ _ _ judged same_rules row hash network
  (multiplier.Teacher.multiplier_multiplies 10 ltac:(discriminate)).
