(** Multiplication in radix 2: its certificate and weights are in src/dfst/models/mult2. *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Agent files.Sha256 files.Certified models.Chain models.data.mult2.
From Dfst Require multiplier.Machine multiplier.Teacher.

(** The verified checker accepts the certificate. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
Lemma judged : judge teacher_text learner_text teacher_hash learner_hash the_evidence = Some (true, false).
Proof. vm_cast_no_check (eq_refl (Some (true, false))). Qed.

Theorem learner_equals_teacher : of_texts teacher_text learner_text teacher_hash learner_hash equal.
Proof. exact (judged_equal _ _ _ _ _ _ judged). Qed.

(** The teacher in the certificate has the rules of the machine that is proven in multiplier/. *)
Theorem teacher_multiplies : machine_computes teacher_text 2 N.mul multiplier.Teacher.duration.
Proof.
  apply (teacher_computes _ (multiplier.Teacher.multiplier 2) 27 2 0 0 (-2)).
  - vm_cast_no_check (eq_refl true).
  - apply multiplier.Teacher.multiplier_multiplies. discriminate.
Qed.

(** The machine extracted from trained weights. *)
Theorem learner_multiplies : machine_computes learner_text 2 N.mul multiplier.Teacher.duration.
Proof.
  apply (learner_computes _ _ _ _ _ _ _ _ _ judged); [vm_cast_no_check (eq_refl true)|exact teacher_multiplies].
Qed.

(** The network in one_hot.safetensors, the file with this hash. *)
Definition weights : list N := one_hot_file weights_header learner_text dimension.
Theorem weights_are_the_file : sha256 weights = weights_hash.
Proof. vm_cast_no_check (eq_refl weights_hash). Qed.
Theorem network_multiplies : network_computes weights learner_text 2 N.mul multiplier.Teacher.duration.
Proof. apply (weights_compute _ _ dimension); [vm_cast_no_check (eq_refl true)|exact learner_multiplies]. Qed.
