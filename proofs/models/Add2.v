(** Addition in radix 2: its certificate and weights are in src/dfst/models/add2. The data is Required without Import,
    so that no name in it can stand for one of ours. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 files.Certified models.Chain.
From Dfst Require adder.Machine adder.Teacher models.data.add2.

(** The verified checker accepts the certificate, and finds that the teacher always has a rule. *)
Lemma never_stuck : shows data.add2.given = Some (true, true).
Proof. vm_cast_no_check (eq_refl (Some (true, true))). Qed.
Definition judged := shows_never_equal _ _ never_stuck.

(** The teacher in the certificate has the rules of the machine that is proven in adder/. *)
Lemma same_rules : has_rules_of (teacher data.add2.given) (adder.Machine.adder 2) 11 2 (-1) 0 0 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma row : same_row (teacher data.add2.given) (learner data.add2.given) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** The one-hot weights of the learner are the file of this hash. *)
Definition weights : list N := one_hot_file data.add2.header (learner data.add2.given) data.add2.dimension.
Lemma hash : sha256 weights = data.add2.weights_hash.
Proof. vm_cast_no_check (eq_refl data.add2.weights_hash). Qed.
Lemma network : has_weights_of weights (learner data.add2.given) data.add2.dimension = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition proven := whole_chain _ _ _ _ _ _ _ _ _ _ _ _ judged same_rules row hash network
  (adder.Teacher.adder_adds 2 ltac:(discriminate)).
