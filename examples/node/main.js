// Usage: node main.js solve PUZZLE… | count PUZZLE… | all PUZZLE [LIMIT] |
// submit JOB < PUZZLES | results JOB. NATS_URL is the server.
import { createInterface } from "node:readline";
import { connect } from "@nats-io/transport-node";
import * as sudoku from "./sudoku.js";

const print = (line) => process.stdout.write(line + "\n");

const commands = {
  solve: async (nc, puzzles) => (await sudoku.solve(nc, puzzles)).forEach(print),
  count: async (nc, puzzles) => (await sudoku.count(nc, puzzles)).forEach(print),
  all: async (nc, [puzzle, limit]) => {
    for await (const solution of sudoku.all(nc, puzzle, { limit: Number(limit ?? 1000) })) print(solution);
  },
  submit: async (nc, [job]) => {
    const { chunks, puzzles } = await sudoku.submit(nc, job, createInterface({ input: process.stdin }));
    print(`${puzzles} puzzles in ${chunks} chunks`);
  },
  results: async (nc, [job]) => {
    for await (const answer of sudoku.results(nc, job)) print(answer);
  },
};

const [name, ...args] = process.argv.slice(2);
if (!commands[name] || (name !== "solve" && name !== "count" && args.length === 0)) {
  console.error("usage: node main.js solve PUZZLE… | count PUZZLE… | all PUZZLE [LIMIT] | submit JOB | results JOB");
  process.exit(2);
}
const nc = await connect({ servers: process.env.NATS_URL ?? "nats://127.0.0.1:4222" });
try {
  await commands[name](nc, args);
} catch (error) {
  console.error(`${name}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await nc.close();
}
