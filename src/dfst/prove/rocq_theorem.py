"""A whole file for Rocq about a certificate: what it claims, its numbers, and the computation that proves the claim."""

from __future__ import annotations

from dfst.prove.rocq_file import HEAD, Json, boolean, canonical, numbers, sha256, trained, whole

CLAIM = """\
(** {sentence} *)
Definition claim : Prop := exists T L, Dfst.files.Certified.of_texts T L
  0x{teacher}
  0x{learner} Dfst.Statement.{claim}.
(** The teacher always has a rule. *)
Definition never : Prop := exists T L, Dfst.files.Certified.of_texts T L
  0x{teacher}
  0x{learner} (fun t _ => forall w, Dfst.Statement.matches (Dfst.Statement.parts t) w ->
    forall n, Dfst.Statement.run (Dfst.Statement.lookup (Dfst.Statement.rules t)) n (Dfst.Statement.begins t w)
      <> Dfst.Statement.Stuck).

"""

PROOF = """
(** The verified checker accepts. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
Lemma judged : judge teacher_text learner_text teacher_hash learner_hash the_evidence = Some ({together}, {never}).
Proof. vm_cast_no_check (eq_refl (Some ({together}, {never}))). Qed.

Theorem certified : claim.
Proof. exists teacher_text, learner_text. exact ({lemma} judged). Qed.
Print Assumptions certified.
"""
NEVER_STUCK = """
Theorem never_stuck : never.
Proof. exists teacher_text, learner_text. exact (judged_never_stuck _ _ _ _ _ _ judged). Qed.
Print Assumptions never_stuck.
"""

NETWORK_CLAIM = """\
(** The network in the file does what the teacher does, its hidden state rounded, on every input. *)
Definition network_claim : Prop := exists T W t w,
  Dfst.files.Sha256.sha256 T = 0x{teacher} /\\
  Dfst.files.Sha256.sha256 W = 0x{weights} /\\
  Dfst.files.Agent.read T = Some t /\\ Dfst.files.Safetensors.trained_in W = Some w /\\
  Dfst.network.Trained.acts_like t {bits} w.

"""
NETWORK_PROOF = """
Lemma hashed : sha256 trained = trained_hash.
Proof. vm_cast_no_check (eq_refl trained_hash). Qed.
Lemma along : trained_along given trained {bits} = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem network_follows : network_claim.
Proof.
  destruct (trained_proven given trained {bits} judged along (fun _ => True) _ hashed (fun _ _ => I))
    as (T & W & t & w & HT & HW & RT & RW & Acts & _).
  exists T, W, t, w. exact (conj HT (conj HW (conj RT (conj RW Acts)))).
Qed.
Print Assumptions network_follows.
"""


def theorem(given: Json, network: tuple[bytes, int] | None = None) -> str:
    """A whole file for Rocq: what the certificate claims, its numbers, and the computation that proves the claim.

    The same for a ``network``, a file of weights and the bits to which its hidden state is rounded; only where the
    teacher is proven never to get stuck. Claims come first, so that no name of the data can change what they mean.
    """
    together, never = claim(given)
    teacher, learner = (sha256(canonical(given, what).encode()) for what in ("teacher", "learner"))
    strong = "On every input, after any number of steps, the learner is where the teacher is."
    weak = "The same, up to where the teacher gets stuck."
    stated = CLAIM.format(
        sentence=strong if together else weak,
        teacher=teacher,
        learner=learner,
        claim="equal" if together else "equal_until_stuck",
    )
    proof = PROOF.format(
        together=boolean(together),
        never=boolean(never),
        lemma="judged_equal _ _ _ _ _ _" if together else "judged_until_stuck _ _ _ _ _ _ _",
    )
    if network is None:
        return HEAD + stated + numbers(given) + proof + NEVER_STUCK * never
    weights, bits = network
    stated += NETWORK_CLAIM.format(teacher=teacher, weights=sha256(weights), bits=whole(bits, "bits", 16, 1))
    head = HEAD.replace("files.Certified.", "files.Certified files.Sha256 network.Trained.")
    shown = NEVER_STUCK * never + NETWORK_PROOF.format(bits=bits)
    return head + stated + numbers(given) + trained(weights) + proof + shown


def claim(given: Json) -> tuple[bool, bool]:
    """(whether both get stuck together, whether the teacher never does): what the certificate claims."""
    return given["claim"]["scope"] == "on every input", given["claim"]["teacher_never_stuck"] is True
