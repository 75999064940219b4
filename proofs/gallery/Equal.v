(** The other tasks of the gallery: the learner equals its teacher. The data is Required without Import, so that no name
    in it can stand for one of ours. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
From Dfst Require Import files.Certified.
From Dfst Require gallery.data.binary_to_decimal gallery.data.binary_to_unary gallery.data.brackets.
From Dfst Require gallery.data.collatz gallery.data.compare gallery.data.copy gallery.data.decimal_to_binary.
From Dfst Require gallery.data.divide gallery.data.gcd gallery.data.meander gallery.data.palindrome.
From Dfst Require gallery.data.reverse gallery.data.rule110 gallery.data.sort_bits gallery.data.subtract.
From Dfst Require gallery.data.unary_to_binary.

Lemma binary_to_decimal : shows_equal data.binary_to_decimal.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma binary_to_unary : shows_equal data.binary_to_unary.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma brackets : shows_equal data.brackets.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma collatz : shows_equal data.collatz.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma compare : shows_equal data.compare.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma copy : shows_equal data.copy.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decimal_to_binary : shows_equal data.decimal_to_binary.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma divide : shows_equal data.divide.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma gcd : shows_equal data.gcd.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma meander : shows_equal data.meander.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma palindrome : shows_equal data.palindrome.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma reverse : shows_equal data.reverse.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma rule110 : shows_equal data.rule110.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma sort_bits : shows_equal data.sort_bits.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma subtract : shows_equal data.subtract.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma unary_to_binary : shows_equal data.unary_to_binary.given = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
