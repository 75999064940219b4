(** Trained networks of the gallery, src/dfst/teachers/gallery/NAME.rounded.safetensors, that compute a function of a number:
    their hidden state is rounded to one bit, to -2, -1, 0, 1 and 2. The certificates, and what is proven of the teachers, are
    those of Double.v, Halve.v and Increment.v. *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 network.Trained gallery.Decimal.
From Dfst Require gallery.data.double gallery.data.halve gallery.data.increment.
From Dfst Require gallery.Double gallery.Halve gallery.Increment.

Module double.
Lemma hash : sha256 data.double.trained = data.double.trained_hash.
Proof. vm_cast_no_check (eq_refl data.double.trained_hash). Qed.
Lemma along : trained_along data.double.given data.double.trained 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition proven := trained_proven _ _ _ gallery.Double.never_stuck along _ _ hash
  (trained_turns _ _ _ _ _ _ gallery.Double.never_stuck gallery.Double.same_rules along gallery.Double.doubles).
End double.

Module halve.
Lemma hash : sha256 data.halve.trained = data.halve.trained_hash.
Proof. vm_cast_no_check (eq_refl data.halve.trained_hash). Qed.
Lemma along : trained_along data.halve.given data.halve.trained 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition proven := trained_proven _ _ _ gallery.Halve.never_stuck along _ _ hash
  (trained_turns _ _ _ _ _ _ gallery.Halve.never_stuck gallery.Halve.same_rules along gallery.Halve.halves).
End halve.

Module increment.
Lemma hash : sha256 data.increment.trained = data.increment.trained_hash.
Proof. vm_cast_no_check (eq_refl data.increment.trained_hash). Qed.
Lemma along : trained_along data.increment.given data.increment.trained 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition proven := trained_proven _ _ _ gallery.Increment.never_stuck along _ _ hash
  (trained_turns _ _ _ _ _ _ gallery.Increment.never_stuck gallery.Increment.same_rules along gallery.Increment.increments).
End increment.
