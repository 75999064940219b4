(** What is proven, and that nothing was assumed: the last line printed must say "Closed under the global context". All
    that is claimed comes before any data is loaded, so that no data can change what a word of it means. *)
From Coq Require Import ZArith NArith.
From Dfst Require Import Statement checker.Check checker.Sound network.OneHot network.Fewer.
From Dfst Require files.Agent files.Sha256 files.Safetensors files.Certified models.Chain gallery.Decimal.
From Dfst Require adder.Machine adder.Teacher multiplier.Teacher.

(** * What is claimed of files. A file is named by its SHA-256; machines are hashed in their canonical text. *)

(** Texts with these hashes are machines, and the second acts like the first. *)
Definition alike_texts (teacher learner : N) (T L : list N) : Prop :=
  Dfst.files.Sha256.sha256 T = teacher /\ Dfst.files.Sha256.sha256 L = learner /\
  exists t l, Dfst.files.Agent.read T = Some t /\ Dfst.files.Agent.read L = Some l /\ Dfst.Statement.equal t l.
Definition alike_by_hash (teacher learner : N) : Prop := exists T L : list N, alike_texts teacher learner T L.

(** The same, and both turn every decimal number u into f u. *)
Definition decimal (f : N -> N) (teacher learner : N) : Prop :=
  exists T L : list N, alike_texts teacher learner T L /\
    Dfst.gallery.Decimal.text_turns T f /\ Dfst.gallery.Decimal.text_turns L f.

(** The same for two numbers, and the file of weights is a network that computes it as well. *)
Definition shipped (radix : N) (op : N -> N -> N) (steps : nat -> nat -> nat) (teacher learner weights : N) : Prop :=
  exists T L W : list N, alike_texts teacher learner T L /\ Dfst.files.Sha256.sha256 W = weights /\
    Dfst.models.Chain.machine_computes T radix op steps /\
    Dfst.models.Chain.machine_computes L radix op steps /\
    Dfst.models.Chain.network_computes W L radix op steps.

(** How weights are read: 1, -2.5 and the smallest number above 0, as multiples of 2^-149; infinity is refused. *)
Example float_1 : Dfst.files.Safetensors.float32 0x3f800000 = Some (2 ^ 149)%Z. Proof. reflexivity. Qed.
Example float_2 : Dfst.files.Safetensors.float32 0xc0200000 = Some (-5 * 2 ^ 148)%Z. Proof. reflexivity. Qed.
Example float_3 : Dfst.files.Safetensors.float32 1 = Some 1%Z. Proof. reflexivity. Qed.
Example float_4 : Dfst.files.Safetensors.float32 0x7f800000 = None. Proof. reflexivity. Qed.
(** How vectors are rounded, to 2 bits: 4 * 1 / 9 + 1/2 is between 0 and 1; 4 * 1 / 8 + 1/2 is 1, a tie. *)
Example rounded_1 : rounded 2 (cons 9 (cons 1 (cons (-5) nil)))%Z = Some (cons 4 (cons 0 (cons (-2) nil)))%Z.
Proof. reflexivity. Qed.
Example rounded_2 : rounded 2 (cons 8 (cons 1 nil))%Z = None. Proof. reflexivity. Qed.

(** The trained network itself, nothing extracted from it: its weights are the floats in the file with this hash, its
    hidden state is rounded to so many bits, at the start and after every step. On every input, after any number of
    steps, it has done what the teacher has; and P. *)
Definition trained (bits : N) (P : Dfst.Statement.network -> Prop) (teacher weights : N) : Prop :=
  exists (T W : list N) (t : Dfst.Statement.agent) (w : Dfst.Statement.network),
    Dfst.files.Sha256.sha256 T = teacher /\ Dfst.files.Sha256.sha256 W = weights /\
    Dfst.files.Agent.read T = Some t /\ Dfst.files.Safetensors.trained_in W = Some w /\
    (forall word, matches (parts t) word -> forall n, alike (run (lookup (rules t)) n (begins t word))
      (run (rounding bits w) n (input t (rounded bits (h0 w)) word))) /\ P w.
Definition trained_follows (bits : N) : N -> N -> Prop := trained bits (fun _ => True).
Definition trained_computes (bits radix : N) (x y row : Z) (op : N -> N -> N) (steps : nat -> nat -> nat) :
    N -> N -> Prop :=
  trained bits (fun w => computes (rounding bits w) (rounded bits (h0 w)) radix x y row op steps).
Definition trained_turns (bits : N) (x y : Z) (f : N -> N) : N -> N -> Prop :=
  trained bits (fun w => turns (rounding bits w) (rounded bits (h0 w)) x y f).

(** The shipped models, in src/dfst/models: the hashes of teacher, learner and one_hot.safetensors. `make literals`
    prints those that the files have, and every build compares them with these. *)
Definition add2 : Prop := shipped 2 N.add Dfst.adder.Teacher.adder_bound
  0xce62503084c343ec937323bb3d2ca63469f7393d154feed4bd70b38502d06f63
  0x52ac1b7d2a58be7614fd89b5fc0cbb3015337dfdde14ccfa1582593c1e240451
  0xd0218ccc049351883c8e97b5a6c7e24f812da2ef313aec58e0aea8715bae3126.
Definition add10 : Prop := shipped 10 N.add Dfst.adder.Teacher.adder_bound
  0x45e1ef4c825ae729856d7fe2247dffd330690d8b0abaff24cb40342410e17bdc
  0xe1da58ca83f6692db811640e2fb714ea5d4c5c9f2db88d877bba294bf3db7fa4
  0x86580a0376b1f3b652e27c80326e33c6ff69cb0fb226a5d06cde80ba7bf45a2d.
Definition mult2 : Prop := shipped 2 N.mul Dfst.multiplier.Teacher.duration
  0x225566797ad0717196eea77df19a045bbf54be5ac2681dcc7404c5935f6aa263
  0xa155ce7a3c1cf5cb6983f7fd266d4445d5f62f79a255507b605eaf80a158b32d
  0xb15d69a71ed8d6219cdafb99869125987996ab54c28d6c1cf1523a34bfde5c46.
Definition mult10 : Prop := shipped 10 N.mul Dfst.multiplier.Teacher.duration
  0x3b7a7b54bf61e2981a0a6a427b880ae51ad19a11237632c1dd33fb63e9d65f07
  0x644a15ebaae075a5ce2f243fe0dae856743c1eb23ec66267c5fb7e396786e6f5
  0x7aa702a991cc97f0146de4810eecf4b4ae9974669ca0cc42ceb9fe16288c29cf.

(** The gallery, in src/dfst/teachers/gallery: the hashes of teacher and learner. *)
Definition binary_to_decimal : Prop := alike_by_hash
  0xbf8691fe16dc3743673b448f5402c4d2b0d46c428567f9688b019437fb8f89c5
  0x572497e01df4635421b718e05922ed9c6c8eec188bda30a42d4fdee2daa7c5c3.
Definition binary_to_unary : Prop := alike_by_hash
  0xa4e49f7e0215669a21477e5bf42b72a1eae7892b16a848ecc0ee2d03413f57cc
  0xa4e49f7e0215669a21477e5bf42b72a1eae7892b16a848ecc0ee2d03413f57cc.
Definition brackets : Prop := alike_by_hash
  0x50c0017afbffb2e2122c9f26a8545a7b7c32b08299c96b7404855e4dd32aee71
  0xbe75f4fa9f6bf9046bb0ec7ecbd62dbbf5d41a78ab6ce5676c1576e398ecf842.
Definition collatz : Prop := alike_by_hash
  0x0b2a11529ad08c51b121e792e2a9dd6584a1945ca595a5d8fbbcf5b186298917
  0x85cd0ae449df77b995a4cca1920becb31f6befec1b122c3b9376250f11bafd20.
Definition compare : Prop := alike_by_hash
  0x7074196bcff922d4eeefc7009c695290f94c553dc7af13c20580c098adf94117
  0xee3e5572774d998788d118e059ec0a51c6223ecfe964ba874784a948bd313fdc.
Definition copy : Prop := alike_by_hash
  0xb9514317ee3b1e7cedd40c960c41028dda58ab61ad7803ddc9822efc05a23cee
  0xb9514317ee3b1e7cedd40c960c41028dda58ab61ad7803ddc9822efc05a23cee.
Definition decimal_to_binary : Prop := alike_by_hash
  0x4a8e7daa823354e756803e349c6a71b4d290e85c75edef86f00744c1836c7974
  0x963e64efbf44c15eb03fcb996a9723c006aef2d480c4ac25a1720bb4b842c059.
Definition divide : Prop := alike_by_hash
  0x08e4c62b045c042ca693dd8575f518e9ec89384384b03ed514d0ddbaceb0b237
  0xba364984420156a835472f88aef90997f0086c20f92c003763e5b0e2a5a99416.
Definition double : Prop := decimal N.double
  0x1eabe788733de2bcd59f322db7d67d014ce016e36333bb0bf8e9a2c1af7a4acd
  0x1eabe788733de2bcd59f322db7d67d014ce016e36333bb0bf8e9a2c1af7a4acd.
Definition gcd : Prop := alike_by_hash
  0x10b2b7046b26e972fdf13fc989282e32275f3e07c80cc084ab0fe755f7ede713
  0x4e73448a6afeee4fd5e549e8e132229017fa8ad9687803063c67771fc99a5721.
Definition halve : Prop := decimal (fun n => n / 2)%N
  0xa72c65fed720d9aff1232ee6cefd56a826fbce7ad7d28cf6e745c19ce23bd2c1
  0xa72c65fed720d9aff1232ee6cefd56a826fbce7ad7d28cf6e745c19ce23bd2c1.
Definition increment : Prop := decimal N.succ
  0x5100cfda638062561c35040cc7e90d98049311930c2b2b61117d5b98a6b4e38e
  0x5100cfda638062561c35040cc7e90d98049311930c2b2b61117d5b98a6b4e38e.
Definition meander : Prop := alike_by_hash
  0x8538ccb16b54296ab2b33b21e99d5bd6c88d17e81c3eb1975d2a8c9f92ad998e
  0xc6e9ebc1bc042d3fd32f74654df974df82f86906307ab367f477810432ad35e2.
Definition palindrome : Prop := alike_by_hash
  0xfede325697f2b2df637ef48ed0d5937ccb835bca0585c57d6106d70a029761f7
  0x807a9533c151642c1ad8529bd71cf508cedd0161a502196821a322443e94c11a.
Definition reverse : Prop := alike_by_hash
  0xbddb2368b9ebdae563eef21980de2b1ef87ed24f705fc5c1cda8ebbe82b6580e
  0x231f7206ef15b4a66284a3ff0fd9ae89ffca1d1a0378718dd48b4007618fb9b5.
Definition rule110 : Prop := alike_by_hash
  0xd8a07a8894ee3ec91cf91f98a5f572c6750c267e3a8a1fd5be67f5f1236124f8
  0x727bb17a5419b0eac4042b61f8975870a5b7040fcc4a4e96b5e4560fe37933c8.
Definition sort_bits : Prop := alike_by_hash
  0xd13370fa5b52efe3476e2f5cf5fb502f882a7a44dd74e237d53b723f3b60981f
  0xd13370fa5b52efe3476e2f5cf5fb502f882a7a44dd74e237d53b723f3b60981f.
Definition subtract : Prop := alike_by_hash
  0xe84c348bb65d2b2d65a2dcc7c219f94e72d117ab8efb60e67bc10d5e95a1e9c0
  0x2ae16e779de438a41c0910d84130275b6944a404c6d2a0fd774dc8ab2e53ecab.
Definition unary_to_binary : Prop := alike_by_hash
  0x7116f15548bb4e8312f6004da1a66da9e5e35a22338c3753fcee430a5c489a64
  0x7116f15548bb4e8312f6004da1a66da9e5e35a22338c3753fcee430a5c489a64.

(** Trained networks: the files rounded.safetensors and NAME.rounded.safetensors. The hashes of teacher and file. *)
Definition add2_trained : Prop := trained_computes 5 2 (-1) 0 0 N.add Dfst.adder.Teacher.adder_bound
  0xce62503084c343ec937323bb3d2ca63469f7393d154feed4bd70b38502d06f63
  0x2dc5752f6ba40bfd93a8bf78d8ca0dd4ac4781876397491290a73bc21431f5f4.
Definition binary_to_decimal_trained : Prop := trained_follows 2
  0xbf8691fe16dc3743673b448f5402c4d2b0d46c428567f9688b019437fb8f89c5
  0x5cfe4da4451b2ac14dd00dd697306434148a80bf46d8a5aea7508acb22516fe8.
Definition brackets_trained : Prop := trained_follows 3
  0x50c0017afbffb2e2122c9f26a8545a7b7c32b08299c96b7404855e4dd32aee71
  0x8bcc4e82195bcd8fbeb456ed6145b87aa6377398dcce03d1040dfe42865ac69b.
Definition collatz_trained : Prop := trained_follows 3
  0x0b2a11529ad08c51b121e792e2a9dd6584a1945ca595a5d8fbbcf5b186298917
  0x7e823211883f805a977abb7b93379c42818fb15d25a08c1c84428f8941621197.
Definition compare_trained : Prop := trained_follows 5
  0x7074196bcff922d4eeefc7009c695290f94c553dc7af13c20580c098adf94117
  0x2b6da6d07207b4833b93298881dc85f9712dcec5b9186b15f506b0970dc54a00.
Definition copy_trained : Prop := trained_follows 1
  0xb9514317ee3b1e7cedd40c960c41028dda58ab61ad7803ddc9822efc05a23cee
  0x0b418c571451f60332a6aacee2275cd619ebb0651529be7f6468b0f40021dd19.
Definition divide_trained : Prop := trained_follows 3
  0x08e4c62b045c042ca693dd8575f518e9ec89384384b03ed514d0ddbaceb0b237
  0x6488f5579299208c05f34e2f14f7cf5dcc2241254f23a82c0b0203fc785d3438.
Definition double_trained : Prop := trained_turns 1 0 0 N.double
  0x1eabe788733de2bcd59f322db7d67d014ce016e36333bb0bf8e9a2c1af7a4acd
  0x3fb3e27cee69eedb2849d3e9af76c16759932c1f906fd4b99e49ba1de037877a.
Definition gcd_trained : Prop := trained_follows 3
  0x10b2b7046b26e972fdf13fc989282e32275f3e07c80cc084ab0fe755f7ede713
  0x68ad5ccb9b5dbcda397943f5d2b5c6f37f92918b457791e47cafb85edb1bda88.
Definition halve_trained : Prop := trained_turns 1 0 0 (fun n => n / 2)%N
  0xa72c65fed720d9aff1232ee6cefd56a826fbce7ad7d28cf6e745c19ce23bd2c1
  0x1029b9660eac559c168b546494c5258fe0fbac741b4421127a0ac34e762c6881.
Definition increment_trained : Prop := trained_turns 1 0 0 N.succ
  0x5100cfda638062561c35040cc7e90d98049311930c2b2b61117d5b98a6b4e38e
  0xb00f368ae3d743b916c94392737865fbc10a8b219119b2990499c8b84b1ca613.
Definition meander_trained : Prop := trained_follows 6
  0x8538ccb16b54296ab2b33b21e99d5bd6c88d17e81c3eb1975d2a8c9f92ad998e
  0x754b781f99a69c8bd611b184af904e36f8447917f34ac94f9fa48b38833bcb03.
Definition palindrome_trained : Prop := trained_follows 2
  0xfede325697f2b2df637ef48ed0d5937ccb835bca0585c57d6106d70a029761f7
  0xb99b336f9e31e7b7c7a4a94e8c2f3892ed8d1b9c1af9940cdcc66250d94a72c3.
Definition reverse_trained : Prop := trained_follows 5
  0xbddb2368b9ebdae563eef21980de2b1ef87ed24f705fc5c1cda8ebbe82b6580e
  0x79694a18b7d76e14d55cf1b1f4e324c3baf4738d9f35e4146119b126f8e743a9.
Definition rule110_trained : Prop := trained_follows 1
  0xd8a07a8894ee3ec91cf91f98a5f572c6750c267e3a8a1fd5be67f5f1236124f8
  0xa6a03b7ad5808bba8f1317b03571328c92ee3b8e7bb9bae6e5246ede4c55da44.
Definition sort_bits_trained : Prop := trained_follows 2
  0xd13370fa5b52efe3476e2f5cf5fb502f882a7a44dd74e237d53b723f3b60981f
  0x65c389e3a5e4ad0e140222d2e1dae7dca8b3a9a6fe40e989d674b005c5bfeb61.
Definition subtract_trained : Prop := trained_follows 4
  0xe84c348bb65d2b2d65a2dcc7c219f94e72d117ab8efb60e67bc10d5e95a1e9c0
  0x8d4de738bb1998b017b2795c138b4ab146a08f88b3412e79481a6b7f1f721383.
Definition unary_to_binary_trained : Prop := trained_follows 1
  0x7116f15548bb4e8312f6004da1a66da9e5e35a22338c3753fcee430a5c489a64
  0x71cb501109b7fe4666e2d0c6f0bacc6ce1f47c53feed3d4cc78b1ba808b77cc6.

(** * Certificates: what the checker accepts is so *)
Check verdict_equal : forall t l e never, verdict t l e = Some (true, never) -> equal t l.
Check verdict_until_stuck : forall t l e b never, verdict t l e = Some (b, never) -> equal_until_stuck t l.
Check verdict_never_stuck : forall t l e b, verdict t l e = Some (b, true) ->
  forall w, matches (parts t) w -> forall n, run (lookup (rules t)) n (begins t w) <> Stuck.

(** * Networks: one-hot weights make exactly the machine's steps *)
Check universal : forall a d, well_formed a = true -> (length (rules a) <= d)%nat -> forall w n,
  (N.to_nat (start a) < d)%nat ->
  alike (run (lookup (rules a)) n (begins a w)) (run (acting (one_hot a d)) n (input a (h0 (one_hot a d)) w)).
(** Up to where the machine is stuck, as many dimensions are enough as there are states with a rule for one symbol. *)
Check fewer_until_stuck : forall a d, well_formed a = true ->
  (forall x, (length (having (rules a) x) <= d)%nat) -> forall w n,
  run (lookup (rules a)) n (begins a w) <> Stuck ->
  alike (run (lookup (rules a)) n (begins a w)) (run (acting (fewer a d)) n (input a (h0 (fewer a d)) w)).

(** * Teachers, for every radix *)
Check adder.Teacher.adder_adds : forall r, (2 <= r)%N ->
  computes (adder.Machine.adder r) 0%N r (-1) 0 0 N.add adder.Teacher.adder_bound.
Check multiplier.Teacher.multiplier_multiplies : forall r, (2 <= r)%N ->
  computes (multiplier.Teacher.multiplier r) 0%N r 0 0 (-2) N.mul multiplier.Teacher.duration.

(** * The files *)
From Dfst Require models.Add2 models.Add10 models.Mult2 models.Mult10 models.Add2Trained.
From Dfst Require gallery.Increment gallery.Double gallery.Halve gallery.Equal.
From Dfst Require gallery.DecimalTrained gallery.EqualTrained.

Theorem add2_proven : add2. Proof. exact models.Add2.proven. Qed.
Theorem add10_proven : add10. Proof. exact models.Add10.proven. Qed.
Theorem mult2_proven : mult2. Proof. exact models.Mult2.proven. Qed.
Theorem mult10_proven : mult10. Proof. exact models.Mult10.proven. Qed.
Theorem binary_to_decimal_proven : binary_to_decimal.
Proof. exact (files.Certified.equal_machines _ gallery.Equal.binary_to_decimal). Qed.
Theorem binary_to_unary_proven : binary_to_unary.
Proof. exact (files.Certified.equal_machines _ gallery.Equal.binary_to_unary). Qed.
Theorem brackets_proven : brackets. Proof. exact (files.Certified.equal_machines _ gallery.Equal.brackets). Qed.
Theorem collatz_proven : collatz. Proof. exact (files.Certified.equal_machines _ gallery.Equal.collatz). Qed.
Theorem compare_proven : compare. Proof. exact (files.Certified.equal_machines _ gallery.Equal.compare). Qed.
Theorem copy_proven : copy. Proof. exact (files.Certified.equal_machines _ gallery.Equal.copy). Qed.
Theorem decimal_to_binary_proven : decimal_to_binary.
Proof. exact (files.Certified.equal_machines _ gallery.Equal.decimal_to_binary). Qed.
Theorem divide_proven : divide. Proof. exact (files.Certified.equal_machines _ gallery.Equal.divide). Qed.
Theorem double_proven : double. Proof. exact gallery.Double.proven. Qed.
Theorem gcd_proven : gcd. Proof. exact (files.Certified.equal_machines _ gallery.Equal.gcd). Qed.
Theorem halve_proven : halve. Proof. exact gallery.Halve.proven. Qed.
Theorem increment_proven : increment. Proof. exact gallery.Increment.proven. Qed.
Theorem meander_proven : meander. Proof. exact (files.Certified.equal_machines _ gallery.Equal.meander). Qed.
Theorem palindrome_proven : palindrome. Proof. exact (files.Certified.equal_machines _ gallery.Equal.palindrome). Qed.
Theorem reverse_proven : reverse. Proof. exact (files.Certified.equal_machines _ gallery.Equal.reverse). Qed.
Theorem rule110_proven : rule110. Proof. exact (files.Certified.equal_machines _ gallery.Equal.rule110). Qed.
Theorem sort_bits_proven : sort_bits. Proof. exact (files.Certified.equal_machines _ gallery.Equal.sort_bits). Qed.
Theorem subtract_proven : subtract. Proof. exact (files.Certified.equal_machines _ gallery.Equal.subtract). Qed.
Theorem unary_to_binary_proven : unary_to_binary.
Proof. exact (files.Certified.equal_machines _ gallery.Equal.unary_to_binary). Qed.

Theorem add2_trained_proven : add2_trained. Proof. exact models.Add2Trained.proven. Qed.
Theorem binary_to_decimal_trained_proven : binary_to_decimal_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.binary_to_decimal). Qed.
Theorem brackets_trained_proven : brackets_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.brackets). Qed.
Theorem collatz_trained_proven : collatz_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.collatz). Qed.
Theorem compare_trained_proven : compare_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.compare). Qed.
Theorem copy_trained_proven : copy_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.copy). Qed.
Theorem divide_trained_proven : divide_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.divide). Qed.
Theorem double_trained_proven : double_trained. Proof. exact gallery.DecimalTrained.double.proven. Qed.
Theorem gcd_trained_proven : gcd_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.gcd). Qed.
Theorem halve_trained_proven : halve_trained. Proof. exact gallery.DecimalTrained.halve.proven. Qed.
Theorem increment_trained_proven : increment_trained. Proof. exact gallery.DecimalTrained.increment.proven. Qed.
Theorem meander_trained_proven : meander_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.meander). Qed.
Theorem palindrome_trained_proven : palindrome_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.palindrome). Qed.
Theorem reverse_trained_proven : reverse_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.reverse). Qed.
Theorem rule110_trained_proven : rule110_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.rule110). Qed.
Theorem sort_bits_trained_proven : sort_bits_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.sort_bits). Qed.
Theorem subtract_trained_proven : subtract_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.subtract). Qed.
Theorem unary_to_binary_trained_proven : unary_to_binary_trained.
Proof. exact (gallery.EqualTrained.follows_proven _ _ _ _ gallery.EqualTrained.unary_to_binary). Qed.

Definition everything := (verdict_equal, verdict_until_stuck, verdict_never_stuck, universal, hidden_one_hot,
  fewer_until_stuck, partial_sum, adder.Teacher.adder_adds, multiplier.Teacher.multiplier_multiplies, add2_proven,
  add10_proven, mult2_proven, mult10_proven, binary_to_decimal_proven, binary_to_unary_proven, brackets_proven,
  collatz_proven, compare_proven, copy_proven, decimal_to_binary_proven, divide_proven, double_proven, gcd_proven,
  halve_proven, increment_proven, meander_proven, palindrome_proven, reverse_proven, rule110_proven, sort_bits_proven,
  subtract_proven, unary_to_binary_proven, add2_trained_proven, binary_to_decimal_trained_proven,
  brackets_trained_proven, collatz_trained_proven, compare_trained_proven, copy_trained_proven, divide_trained_proven,
  double_trained_proven, gcd_trained_proven, halve_trained_proven, increment_trained_proven, meander_trained_proven,
  palindrome_trained_proven, reverse_trained_proven, rule110_trained_proven, sort_bits_trained_proven,
  subtract_trained_proven, unary_to_binary_trained_proven).
Print Assumptions everything.
