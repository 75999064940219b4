(** The trained network of increment, src/dfst/teachers/gallery/increment.rounded.safetensors, its hidden state rounded to
    one bit: to -2, -1, 0, 1 and 2. The certificate, and what is proven of its teacher, are those of Increment.v. *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 network.Trained gallery.Decimal.
From Dfst Require gallery.data.increment gallery.Increment.

Lemma hash : sha256 data.increment.trained = data.increment.trained_hash.
Proof. vm_cast_no_check (eq_refl data.increment.trained_hash). Qed.
Lemma along : trained_along data.increment.given data.increment.trained 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition proven := trained_proven _ _ _ gallery.Increment.never_stuck along _ _ hash
  (trained_turns _ _ _ _ _ _ gallery.Increment.never_stuck gallery.Increment.same_rules along
    gallery.Increment.increments).
