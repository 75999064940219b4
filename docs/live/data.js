// Tasks, float weights and certificates come as scripts, by a tag: so they come from a folder, too, without a server.

const live = globalThis.dfstLive; // catalogue, tasks, weights, certificates: docs/live.py writes it before this
const KINDS = { raw: "as trained", lasting: "lasting" }; // of networks that drift
const OFFERED = { ...KINDS, rounded: "hidden state rounded" };
const FOLDER = new URL("data/", document.currentScript.src).href;
const still = matchMedia("(prefers-reduced-motion: reduce)");

const nextFrame = () => new Promise(requestAnimationFrame);

function textInput(value, label, maxLength, changed) {
  const input = element("input");
  Object.assign(input, { type: "text", value, maxLength, spellcheck: false, autocomplete: "off" });
  input.setAttribute("aria-label", label);
  input.addEventListener("input", () => changed(input.value.trim()));
  return input;
}

const loading = new Map();
function load(path) {
  if (!loading.has(path)) {
    loading.set(path, new Promise((done, fail) => {
      const script = element("script");
      script.src = FOLDER + path;
      script.onload = done;
      script.onerror = () => fail(new Error(`${path} cannot be loaded.`));
      document.head.append(script);
    }));
  }
  return loading.get(path);
}

async function loadTask(name) {
  await load(`tasks/${name}.js`);
  return live.tasks[name];
}

// The weights are little-endian float32 numbers: h0, then for each symbol d rows of d + K + 5. Of a rounded network h0
// is rounded, and `bits` says how far.
async function loadNetwork(task, kind) {
  await load(`weights/${task}-${kind}.js`);
  const { d, k, bits, numbers } = live.weights[`${task}:${kind}`];
  const bytes = new DataView(Uint8Array.from(atob(numbers), (unit) => unit.charCodeAt(0)).buffer);
  const all = Float32Array.from({ length: bytes.byteLength / 4 }, (_, i) => bytes.getFloat32(4 * i, true));
  return new (bits ? Rounded : Network)({ d, k, bits, h0: all.subarray(0, d), packed: all.subarray(d) });
}

async function loadCertificate(name) {
  await load(`certificates/${name}.js`);
  return new Uint8Array(await unpacked(live.certificates[name], "gzip"));
}

// Checks one in this page, of another machine if its table is given; says what it proves, and in how many seconds.
async function check(name, table = null) {
  const bytes = await loadCertificate(name);
  await new Promise((done) => setTimeout(done, 30)); // so that what was said before is seen
  const begin = performance.now(), given = parse(bytes);
  if (table) given.get("learner").set("table", table);
  return { ...verify(given), seconds: ((performance.now() - begin) / 1000).toFixed(1) };
}
