"""A torch GRU learns binary addition from 20 traces; dfst extracts its machine and proves it equal to the teacher."""

import dfst

try:
    import safetensors.torch
    import torch  # pyright: ignore[reportMissingImports]
except ImportError:
    print("skipped: this example needs torch, which dfst itself does not (pip install torch)")
    raise SystemExit from None

traces = dfst.sample("add2")
SYMBOLS, MOVES = len(traces.alphabet), len(dfst.Move)
seen, written, moves, lengths = (torch.tensor(array, dtype=torch.long) for array in traces.padded())


class Network(torch.nn.Module):
    """Reads a symbol, scores the symbols to write and the moves."""

    task = "add2"

    def __init__(self) -> None:
        super().__init__()
        self.gru = torch.nn.GRU(SYMBOLS, 16, batch_first=True)
        self.readout = torch.nn.Linear(16, SYMBOLS + MOVES)

    def forward(self, seen, hidden=None):
        outputs, hidden = self.gru(torch.nn.functional.one_hot(seen, SYMBOLS).float(), hidden)
        return self.readout(outputs).split([SYMBOLS, MOVES], dim=-1), hidden

    def begin(self):
        return torch.zeros(1, 1, 16)

    @torch.no_grad()
    def act(self, hidden, symbol):
        (symbols, moves), hidden = self(torch.tensor([[symbol]]), hidden)
        return hidden, symbols.argmax(), moves.argmax()


torch.manual_seed(1)
network, counted = Network(), torch.arange(seen.shape[1]) < lengths[:, None]
optimiser = torch.optim.Adam(network.parameters(), lr=0.03)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, 1500)
for _ in range(1500):
    scores, _ = network(seen)
    wanted = zip(scores, (written, moves), strict=True)
    errors = [torch.nn.functional.cross_entropy(score[counted], right[counted]) for score, right in wanted]
    optimiser.zero_grad()
    torch.stack(errors).sum().backward()
    optimiser.step()
    schedule.step()

print(dfst.certify(network, out="own_torch"))
safetensors.torch.save_file(network.state_dict(), "own_torch/weights.safetensors")
