(** The trained network of increment, src/dfst/teachers/gallery/increment.raw.safetensors, its hidden state rounded to
    one bit: to -2, -1, 0, 1 and 2. The certificate, and what is proven of its teacher, are those of Increment.v. *)
From Coq Require Import ZArith NArith List.
From Dfst Require Import Statement files.Sha256 files.Safetensors network.Trained gallery.Decimal.
From Dfst Require gallery.data.increment gallery.Increment.

Lemma hash : sha256 data.increment.trained = data.increment.trained_hash.
Proof. vm_cast_no_check (eq_refl data.increment.trained_hash). Qed.
Lemma along : trained_along data.increment.given data.increment.trained 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma proven : exists W w, sha256 W = data.increment.trained_hash /\ trained_in W = Some w /\
  turns (rounding 1 w) (rounded 1 (h0 w)) 0 0 N.succ.
Proof.
  destruct (trained_turns _ _ _ _ _ _ gallery.Increment.judged gallery.Increment.same_rules along
    gallery.Increment.increments) as [w H].
  exists data.increment.trained, w. split; [exact hash|exact H].
Qed.
