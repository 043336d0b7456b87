// `npm run fuzz [-- --seed S --count N --from K]`: random documents through everything. A worker runs them and this
// thread watches it: a document that takes too long is a failure too.

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../scenario/document.ts';
import { fuzzDocument, kindOf, linkOf, smallest } from './case.ts';
import { type Outcome, tryDocument } from './trial.ts';

const USAGE = `Usage: npm run fuzz [-- OPTION…]
  --seed S    documents of this seed; the same seed gives the same documents [1]
  --count N   so many documents [100000]
  --from K    begin with document number K [0]
  --jobs J    so many workers side by side [2]
  --json      one line of JSON at the end, for scripts
Each failure is made as small as it goes and printed with its link. Exit code 1: something failed.`;

/** A document is done in milliseconds; one that takes that long never ends. */
const PATIENCE_MS = 30_000;
/** Kinds of failures that are shrunk and printed; after that only counted. */
const MAX_SHOWN = 20;

interface Job {
  readonly seed: number;
  readonly from: number;
  readonly end: number;
}

type Message =
  | { readonly what: 'begins'; readonly index: number }
  | { readonly what: 'shrinks' }
  | { readonly what: 'done'; readonly index: number; readonly outcome: 'passed' | 'refused' }
  | {
      readonly what: 'failed';
      readonly index: number;
      readonly kind: string;
      readonly message: string;
      readonly small?: JsonObject;
    };

/** In the worker: every document of the job, in order. */
function work({ seed, from, end }: Job): void {
  const send = (message: Message): void => parentPort!.postMessage(message);
  const seen = new Set<string>();
  for (let index = from; index < end; index++) {
    send({ what: 'begins', index });
    const document = fuzzDocument(seed, index);
    const outcome: Outcome = tryDocument(document);
    if (outcome.is !== 'failed') {
      send({ what: 'done', index, outcome: outcome.is });
      continue;
    }
    const kind = kindOf(outcome);
    const isNew = !seen.has(kind) && seen.size < MAX_SHOWN;
    seen.add(kind);
    if (isNew) send({ what: 'shrinks' });
    send({ what: 'failed', index, kind, message: outcome.message, ...(isNew ? { small: smallest(document) } : {}) });
  }
}

interface Sum {
  passed: number;
  refused: number;
  failed: number;
  readonly kinds: Map<string, number>;
}

/** The document that did not come to an end. */
interface Stuck {
  readonly index: number;
  readonly why: string;
}

/** Runs a job in a worker. Answers the document that never ended, or undefined. */
function watch(job: Job, sum: Sum): Promise<Stuck | undefined> {
  return new Promise((done) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: job });
    let index = job.from;
    let lastMs = Date.now();
    let patienceMs = PATIENCE_MS;
    const timer = setInterval(() => {
      if (Date.now() - lastMs < patienceMs) return;
      clearInterval(timer);
      done({ index, why: `not within ${patienceMs / 1000} s` });
      void worker.terminate();
    }, 500);
    worker.on('message', (message: Message) => {
      lastMs = Date.now();
      patienceMs = message.what === 'shrinks' ? 10 * PATIENCE_MS : PATIENCE_MS;
      if (message.what === 'begins') index = message.index;
      else if (message.what === 'done') sum[message.outcome]++;
      else if (message.what === 'failed') void tell(sum, job.seed, message);
    });
    // Out of memory, or a fault of this command.
    worker.on('error', (error) => {
      clearInterval(timer);
      done({ index, why: String(error) });
    });
    worker.on('exit', () => {
      clearInterval(timer);
      done(undefined);
    });
  });
}

/** Runs a job to its end, going on after documents that never do. */
async function finish(job: Job, sum: Sum): Promise<void> {
  for (let from = job.from; from < job.end; ) {
    const stuck = await watch({ ...job, from }, sum);
    if (stuck === undefined) return;
    const kind = 'every document ends';
    sum.failed++;
    sum.kinds.set(kind, (sum.kinds.get(kind) ?? 0) + 1);
    const link = await linkOf(fuzzDocument(job.seed, stuck.index));
    const text = `failed: document ${stuck.index} of seed ${job.seed}\n  ${kind}: ${stuck.why}\n  ${link}\n`;
    console.error(text);
    from = stuck.index + 1;
  }
}

async function tell(sum: Sum, seed: number, failure: Message & { what: 'failed' }): Promise<void> {
  sum.failed++;
  const times = (sum.kinds.get(failure.kind) ?? 0) + 1;
  sum.kinds.set(failure.kind, times);
  if (failure.small === undefined) return;
  const lines = failure.message.split('\n').slice(0, 6).join('\n    ');
  console.error(
    `failed: document ${failure.index} of seed ${seed}\n  ${failure.kind}\n    ${lines}\n  ${JSON.stringify(failure.small)}\n  ${await linkOf(failure.small)}\n`,
  );
}

async function main(argv: readonly string[]): Promise<number> {
  const args = { seed: 1, count: 100_000, from: 0, jobs: Math.min(2, availableParallelism()), json: false };
  for (let i = 0; i < argv.length; i++) {
    const key = argv[i]!.replace(/^--/, '');
    const value = Number(argv[i + 1]);
    if (argv[i] === '--json') args.json = true;
    else if (argv[i] === '--help') return help(0);
    else if (
      (key === 'seed' || key === 'count' || key === 'from' || key === 'jobs') &&
      Number.isInteger(value) &&
      value >= 0
    ) {
      args[key] = key === 'jobs' ? Math.max(1, value) : value;
      i++;
    } else return help(2);
  }
  const sum: Sum = { passed: 0, refused: 0, failed: 0, kinds: new Map() };
  const end = args.from + args.count;
  const startMs = Date.now();
  console.error(`fuzz: documents ${args.from} to ${end - 1} of seed ${args.seed}`);
  const share = Math.ceil(args.count / args.jobs);
  const jobs = Array.from({ length: args.jobs }, (_, i) => ({
    seed: args.seed,
    from: args.from + i * share,
    end: Math.min(end, args.from + (i + 1) * share),
  }));
  await Promise.all(jobs.map((job) => finish(job, sum)));
  for (const [kind, times] of sum.kinds) console.error(`${String(times).padStart(6)} × ${kind}`);
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
  const { passed, refused, failed } = sum;
  if (args.json) process.stdout.write(`${JSON.stringify({ seed: args.seed, passed, refused, failed })}\n`);
  else process.stdout.write(`${passed} ran, ${refused} refused with reasons, ${failed} failed (${seconds} s)\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function help(code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${USAGE}\n`);
  return code;
}

if (isMainThread) process.exitCode = await main(process.argv.slice(2));
else work(workerData as Job);
