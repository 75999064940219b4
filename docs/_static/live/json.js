// JSON as certificates have it, its canonical form and SHA-256: what dfst/prove/checker.py takes from Python's library.

(() => {
  const live = (globalThis.dfstLive ??= { tasks: {}, weights: {}, certificates: {} });
  const MAX_BYTES = 2 ** 28, MAX_LISTS = 2 ** 22;
  const DEPTH = 900; // deeper nesting is refused: Python's reader gives up, too

  class Rejected extends Error {}

  function need(condition, sentence) {
    if (!condition) throw new Rejected(typeof sentence === "function" ? sentence() : sentence);
  }

  // JSON as the checker wants it: objects are Maps, without fractions, constants, and keys that are given twice.
  function parse(bytes) {
    const lists = bytes.reduce((count, byte) => count + (byte === 0x5b || byte === 0x7b), 0);
    need(bytes.length <= MAX_BYTES && lists <= MAX_LISTS, "the file is too large");
    let text, at = 0;
    const line = () => text.slice(0, at).split("\n").length;
    const bad = () => new Rejected(`it is not JSON text (line ${line()})`);
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Rejected("it is not JSON text");
    }
    const space = /[ \t\n\r]*/y, number = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
    const plain = /[^"\\\u0000-\u001f]*/y;
    const skip = () => {
      space.lastIndex = at;
      space.test(text);
      at = space.lastIndex;
    };
    const escapes = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
    function string() {
      let made = "";
      for (at++; ;) {
        plain.lastIndex = at;
        made += plain.exec(text)[0];
        at = plain.lastIndex;
        if (text[at] === '"') {
          at++;
          return made;
        }
        if (text[at] !== "\\") throw bad();
        const next = text[at + 1];
        if (next === "u") {
          const code = text.slice(at + 2, at + 6);
          if (!/^[0-9a-fA-F]{4}$/.test(code)) throw bad();
          made += String.fromCharCode(parseInt(code, 16));
          at += 6;
        } else if (next in escapes) {
          made += escapes[next];
          at += 2;
        } else throw bad();
      }
    }
    function value(depth) {
      if (depth > DEPTH) throw new Rejected("it is not JSON text");
      const first = text[at];
      if (first === '"') return string();
      if (first === "[" || first === "{") return collection(first === "{", depth);
      for (const [word, means] of [["null", null], ["true", true], ["false", false]]) {
        if (text.startsWith(word, at)) {
          at += word.length;
          return means;
        }
      }
      for (const word of ["NaN", "Infinity", "-Infinity"]) need(!text.startsWith(word, at), `${word} is not a number`);
      number.lastIndex = at;
      const found = number.exec(text);
      if (!found) throw bad();
      need(!found[2] && !found[3], `${found[0].slice(0, 20)} is not a whole number`);
      if (found[1].length > 4300) throw new Rejected("it is not JSON text"); // as long as Python reads
      at = number.lastIndex;
      return Number(found[1]);
    }
    function collection(named, depth) {
      const made = named ? new Map() : [], end = named ? "}" : "]";
      let twice = false;
      at++;
      skip();
      if (text[at] === end) {
        at++;
        return made;
      }
      for (; ;) {
        if (named) {
          if (text[at] !== '"') throw bad();
          const key = string();
          skip();
          if (text[at] !== ":") throw bad();
          at++;
          skip();
          twice ||= made.has(key);
          made.set(key, value(depth + 1));
        } else made.push(value(depth + 1));
        skip();
        const next = text[at++];
        if (next === end) {
          need(!twice, "a key comes twice");
          return made;
        }
        if (next !== ",") {
          at--;
          throw bad();
        }
        skip();
      }
    }
    skip();
    const made = value(0);
    skip();
    if (at < text.length) throw bad();
    return made;
  }

  // The canonical form: sorted keys, no spaces, ASCII only.
  function canonical(value) {
    if (value instanceof Map) {
      const keys = [...value.keys()].sort(byCodePoint);
      return `{${keys.map((key) => `${quoted(key)}:${canonical(value.get(key))}`).join(",")}}`;
    }
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    return typeof value === "string" ? quoted(value) : String(value);
  }

  function byCodePoint(one, other) {
    const [a, b] = [[...one], [...other]];
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const apart = a[i].codePointAt(0) - b[i].codePointAt(0);
      if (apart) return apart;
    }
    return a.length - b.length;
  }

  function quoted(text) {
    const short = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
    const code = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return `"${text.replace(/["\\]|[^ -~]/g, (unit) => short[unit] ?? code(unit))}"`;
  }

  const ROUND = (() => {
    const primes = [], fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
    for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
    return { k: primes.map((n) => fraction(Math.cbrt(n))), h: primes.slice(0, 8).map((n) => fraction(Math.sqrt(n))) };
  })();

  // SHA-256 of ASCII text; written out because browsers offer theirs to some pages only.
  function sha256Text(text) {
    const length = text.length, blocks = Math.ceil((length + 9) / 64);
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

  const sha256 = (value) => sha256Text(canonical(value));

  Object.assign(live, { Rejected, byCodePoint, canonical, need, parse, sha256 });
})();
