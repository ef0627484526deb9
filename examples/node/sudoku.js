// A client of the sudoku workers in JavaScript. solver/wire/doc.go is the
// specification of what goes over the wire.
import { createInbox, headers } from "@nats-io/transport-node";
import { jetstream } from "@nats-io/jetstream";

const chunkPuzzles = 256; // in a message: so many make the queue ten times cheaper than one

/** A request that failed as a whole; code as in the specification. */
export class RequestError extends Error {
  constructor(message, code, retryAfter) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter; // ms, where the workers are busy
  }
}

/** Returns the failure that a reply says, or undefined. */
function failure(reply) {
  const code = Number(reply.headers?.get("Nats-Service-Error-Code"));
  if (!code) return undefined;
  const retryAfter = Number(reply.headers.get("Sudoku-Retry-After-Ms"));
  return new RequestError(reply.headers.get("Nats-Service-Error"), code, retryAfter);
}

/** Returns the lines of a message. Each ends with LF. */
const lines = (m) => m.string().split("\n").slice(0, -1);

/**
 * Returns the answers of a result, as lines of a solve reply. Those of a job that
 * the producer submitted are packed: in hexadecimal 8 or 9, and the solution.
 */
function answers(m) {
  const data = Buffer.from(m.data);
  const out = [];
  for (let at = 0, end; at < data.length; at = end + 1) {
    end = data.indexOf("\n", at);
    const line = data.subarray(at, end);
    if (line[0] < 0x80) out.push(line.toString().split("\t")[0]);
    else out.push(line.toString("hex", 0, 41).slice(1) + (line[0] < 0x90 ? " unique" : " multiple"));
  }
  return out;
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Asks for the answer to each of up to 4096 puzzles of 81 characters: a line such
 * as "534…179 unique", "none" or "invalid <reason>". Waits where the workers are
 * busy. Where there are no workers, or none answers in time (ms), it throws what
 * nats.js throws.
 */
export async function ask(nc, subject, puzzles, { limit, timeout = 10_000 } = {}) {
  const end = Date.now() + timeout;
  for (;;) {
    const left = end - Date.now();
    const h = headers();
    h.set("Sudoku-Timeout-Ms", String(Math.max(Math.floor(left * 0.9), 1)));
    if (limit) h.set("Sudoku-Limit", String(limit));
    const reply = await nc.request(subject, puzzles.join("\n"), { headers: h, timeout: Math.max(left, 1) });
    if (reply.data.length > 0) return lines(reply); // also where every puzzle is invalid, with code 400
    const error = failure(reply) ?? new RequestError("an empty reply", 500);
    if (error.code !== 503 || Date.now() + error.retryAfter > end) throw error;
    await sleep(error.retryAfter);
  }
}

export const solve = (nc, puzzles, options) => ask(nc, "sudoku.v1.solve", puzzles, options);
export const count = (nc, puzzles, options) => ask(nc, "sudoku.v1.count", puzzles, options);

/**
 * Yields the solutions of a puzzle, in lexicographic order. The replies are pages
 * of them; an empty one is the end. Sudoku-Count says whether one was lost. Throws
 * if the end has not come in time (ms).
 */
export async function* all(nc, puzzle, { limit = 1000, timeout = 10_000 } = {}) {
  const inbox = createInbox();
  const pages = nc.subscribe(inbox);
  const timer = setTimeout(() => pages.unsubscribe(), timeout);
  try {
    const h = headers();
    h.set("Sudoku-Limit", String(limit));
    nc.publish("sudoku.v1.all", puzzle, { reply: inbox, headers: h });
    let n = 0;
    for await (const page of pages) {
      if (page.headers?.code === 503) throw new RequestError("no workers", 503);
      const solutions = lines(page);
      yield* solutions;
      n += solutions.length;
      const error = failure(page);
      if (error) throw error;
      if (n !== Number(page.headers.get("Sudoku-Count"))) throw new RequestError("a page was lost", 500);
      if (solutions.length === 0) return;
    }
    throw new RequestError("the end did not come in time", 504);
  } finally {
    clearTimeout(timer);
    pages.unsubscribe();
  }
}

/**
 * Stores puzzles, an iterable that may be asynchronous, as a durable job.
 * Returns when JetStream has all of them. Interrupted, it can be called again with
 * the same puzzles: what is stored already is not stored twice, as long as
 * JetStream remembers it (ten minutes).
 */
export async function submit(nc, job, puzzles) {
  const js = jetstream(nc);
  let chunk = [];
  let chunks = 0;
  let first = 0;
  const send = async () => {
    const h = headers();
    h.set("Sudoku-Chunk", `${chunks} ${first}`);
    await js.publish(`sudoku.v1.jobs.${job}`, chunk.join("\n") + "\n", { msgID: `${job}/${chunks}`, headers: h });
    chunks++;
    first += chunk.length;
    chunk = [];
  };
  for await (const puzzle of puzzles) {
    chunk.push(puzzle);
    if (chunk.length === chunkPuzzles) await send();
  }
  if (chunk.length > 0) await send();
  const manifest = { chunks, puzzles: first };
  await js.publish(`sudoku.v1.jobs.${job}.manifest`, JSON.stringify(manifest), { msgID: `${job}/manifest` });
  return manifest;
}

/**
 * Yields the answers to a job in the order of its puzzles, each once, as the
 * workers find them. Chunks come in the order in which workers were done with
 * them, and perhaps twice; those before their turn wait in early.
 */
export async function* results(nc, job) {
  const subject = `sudoku.v1.results.${job}`;
  const consumer = await jetstream(nc).consumers.get("SUDOKU_RESULTS", {
    filter_subjects: [subject, `${subject}.>`],
  });
  const messages = await consumer.consume();
  const early = new Map();
  let next = 0;
  let chunks = Infinity;
  try {
    for await (const m of messages) {
      if (m.subject === `${subject}.cancelled`) throw new Error("the job was cancelled");
      if (m.subject === `${subject}.manifest`) {
        ({ chunks } = JSON.parse(m.string()));
      } else {
        const number = Number(m.headers.get("Sudoku-Chunk").split(" ")[0]);
        if (number >= next && !early.has(number)) early.set(number, m);
      }
      for (let turn; (turn = early.get(next)); next++) {
        early.delete(next);
        const error = failure(turn); // the workers failed at this chunk
        yield* error ? lines(turn).map(() => `failed ${error.message}`) : answers(turn);
      }
      if (next >= chunks) return;
    }
  } finally {
    await messages.close();
  }
}
