// Certificates as JSON, their canonical form and SHA-256: what dfst/prove/checker.py takes from Python's library.

class Rejected extends Error {}

function need(condition, sentence) {
  if (!condition) throw new Rejected(typeof sentence === "function" ? sentence() : sentence);
}

// Objects become Maps, so that no key has a meaning of its own. The browser's reader takes the last of two equal keys,
// and 1.0 for 1, where Python's checker refuses the file. No claim rests on that: what is checked, hashed and compared
// below is the value that was read, and this page reads only certificates that come with it.
function parse(bytes) {
  const checked = (_, value) => {
    need(typeof value !== "number" || Number.isInteger(value), () => `${value} is not a whole number`);
    return typeof value === "object" && value && !Array.isArray(value) ? new Map(Object.entries(value)) : value;
  };
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), checked);
  } catch (error) {
    throw error instanceof Rejected ? error : new Rejected("it is not JSON text");
  }
}

// The canonical form: sorted keys, no spaces, ASCII only.
function canonical(value) {
  if (value instanceof Map) {
    const keys = [...value.keys()].sort((one, other) => (codePoints(one) < codePoints(other) ? -1 : 1));
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value.get(key))}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "string") return String(value);
  const code = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, code);
}

// As Python sorts: by code points, where JavaScript compares UTF-16 units.
const codePoints = (text) => Array.from(text, (each) => each.codePointAt(0).toString(16).padStart(6, "0")).join("");

const ROUND = (() => {
  const primes = [], fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return { k: primes.map((n) => fraction(Math.cbrt(n))), h: primes.slice(0, 8).map((n) => fraction(Math.sqrt(n))) };
})();

// SHA-256 of the canonical form; written out because browsers offer theirs to some pages only.
function sha256(value) {
  const text = canonical(value), { length } = text, blocks = Math.ceil((length + 9) / 64);
  const data = new DataView(new ArrayBuffer(64 * blocks));
  for (let i = 0; i < length; i++) data.setUint8(i, text.charCodeAt(i));
  data.setUint8(length, 0x80);
  data.setUint32(64 * blocks - 8, Math.floor(length / 2 ** 29));
  data.setUint32(64 * blocks - 4, (length << 3) >>> 0);
  const state = [...ROUND.h], w = new Int32Array(64);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) w[i] = data.getInt32(64 * block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND.k[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
