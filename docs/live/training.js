// Training a DFST by gradient descent, here: least squares, Adam, a clipped gradient. Nothing here touches the page.

const MOVES = 5, MEAN = 0.9, SQUARE = 0.999, TINY = 1e-8;

// For each symbol one matrix, A, B and C below each other: what it makes of h is the next h, then both scores.
class Trainer {
  constructor({ d, k, h0, traces, rate, batch, iterations, clip }, seed) {
    Object.assign(this, { d, k, traces, rate, batch, iterations, clip, seed, width: d + k + MOVES, iteration: 0 });
    this.size = this.width * d; // of one symbol's matrix
    this.weights = new Float64Array(d + k * this.size);
    this.weights.set(h0);
    for (let x = 0; x < k; x++) for (let i = 0; i < d; i++) this.weights[d + x * this.size + i * d + i] = 1;
    [this.gradient, this.mean, this.square] = [0, 0, 0].map(() => new Float64Array(this.weights.length));
    this.hidden = new Float64Array((Math.max(...traces.map(([seen]) => seen.length)) + 1) * d);
    this.outputs = new Float64Array(this.hidden.length / d * this.width);
  }

  // Lead the network along a trace: its hidden vectors and scores at every step.
  lead([seen]) {
    const { d, width, size, weights, hidden, outputs } = this;
    hidden.set(weights.subarray(0, d));
    for (let t = 0; t < seen.length; t++) {
      let at = d + seen[t] * size;
      for (let i = 0; i < width; i++) {
        let sum = 0;
        for (let j = 0; j < d; j++, at++) sum += weights[at] * hidden[t * d + j];
        outputs[t * width + i] = sum;
      }
      hidden.set(outputs.subarray(t * width, t * width + d), (t + 1) * d);
    }
  }

  // Finds the gradient of the loss of some traces, and returns that loss: the mean of 1/(2T) times the squared errors.
  differentiate(traces) {
    const { d, k, width, size, weights, hidden, outputs, gradient } = this;
    const back = new Float64Array(width), earlier = new Float64Array(d);
    let loss = 0;
    gradient.fill(0);
    for (const trace of traces) {
      const [seen, written, moves] = trace, share = 1 / (seen.length * traces.length);
      this.lead(trace);
      earlier.fill(0); // nothing follows the last step
      for (let t = seen.length - 1; t >= 0; t--) {
        back.set(earlier);
        for (let i = d; i < width; i++) {
          const wanted = i === d + written[t] || i === d + k + moves[t] ? 1 : 0;
          const error = outputs[t * width + i] - wanted;
          loss += (error * error * share) / 2;
          back[i] = error * share;
        }
        earlier.fill(0);
        let at = d + seen[t] * size;
        for (let i = 0; i < width; i++) {
          for (let j = 0; j < d; j++, at++) {
            gradient[at] += back[i] * hidden[t * d + j];
            earlier[j] += back[i] * weights[at];
          }
        }
      }
      for (let j = 0; j < d; j++) gradient[j] += earlier[j];
    }
    return loss;
  }

  // One iteration on traces drawn by lot; returns their loss.
  step() {
    const { gradient, mean, square, weights, clip } = this;
    const batch = Array.from({ length: this.batch }, () => this.traces[Math.floor(this.lot() * this.traces.length)]);
    const loss = this.differentiate(batch);
    const scale = Math.min(1, clip / Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0)));
    const rate = (this.rate * (1 + Math.cos((Math.PI * this.iteration) / this.iterations))) / 2;
    this.iteration += 1;
    const [short, long] = [1 - MEAN ** this.iteration, 1 - SQUARE ** this.iteration];
    for (let i = 0; i < weights.length; i++) {
      const slope = gradient[i] * scale;
      mean[i] += (1 - MEAN) * (slope - mean[i]);
      square[i] += (1 - SQUARE) * (slope * slope - square[i]);
      weights[i] -= (rate * mean[i]) / short / (Math.sqrt(square[i] / long) + TINY);
    }
    return loss;
  }

  // A number in [0, 1), by seed (Park and Miller's generator).
  lot() {
    this.seed = (this.seed * 48271) % 2147483647;
    return this.seed / 2147483647;
  }

  // How many steps of all traces the network would take otherwise.
  wrong() {
    const { d, k, width, outputs } = this;
    let count = 0;
    for (const trace of this.traces) {
      this.lead(trace);
      trace[0].forEach((_, t) => {
        const at = t * width + d;
        count += leader(outputs, at, k) !== trace[1][t] || leader(outputs, at + k, MOVES) !== trace[2][t];
      });
    }
    return count;
  }

  // The network as it is now, in float32.
  network() {
    const { d, k, width, size, weights } = this, packed = new Float32Array(k * size);
    for (let at = 0; at < packed.length; at++) { // [symbol][row][column] becomes [symbol][column][row]
      const [x, i, j] = [Math.floor(at / size), Math.floor((at % size) / d), at % d];
      packed[x * size + j * width + i] = weights[d + at];
    }
    return new Network({ d, k, h0: Float32Array.from(weights.subarray(0, d)), packed });
  }
}
