(** Multiplication in radix 2: its certificate and weights are in src/dfst/models/mult2. The data is Required without
    Import, so that no name in it can stand for one of ours. ([vm_cast_no_check]: only the kernel computes, once, at
    [Qed].) *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 files.Certified models.Chain.
From Dfst Require multiplier.Machine multiplier.Teacher models.data.mult2.

(** The verified checker accepts the certificate. *)
Lemma judged : shows_equal data.mult2.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The teacher in the certificate has the rules of the machine that is proven in multiplier/. *)
Lemma same_rules : has_rules_of (teacher data.mult2.given) (multiplier.Teacher.multiplier 2) 27 2 0 0 (-2) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma row : same_row (teacher data.mult2.given) (learner data.mult2.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The one-hot weights of the learner are the file of this hash. *)
Definition weights : list N := one_hot_file data.mult2.header (learner data.mult2.given) data.mult2.dimension.
Lemma hash : sha256 weights = data.mult2.weights_hash.
Proof. vm_cast_no_check (eq_refl data.mult2.weights_hash). Qed.
Lemma network : has_weights_of weights (learner data.mult2.given) data.mult2.dimension = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition proven := whole_chain _ _ _ _ _ _ _ _ _ _ _ _ judged same_rules row hash network
  (multiplier.Teacher.multiplier_multiplies 2 ltac:(discriminate)).
