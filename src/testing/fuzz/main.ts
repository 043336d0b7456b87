// `npm run fuzz [-- --seed S --count N --from K]`: random documents through everything. A worker runs them and this
// thread watches it: a document that takes too long is a failure too.

import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../scenario/document.ts';
import { fuzzDocument, kindOf, linkOf, smallest } from './case.ts';
import { type Outcome, tryDocument } from './trial.ts';

const USAGE = `Usage: npm run fuzz [-- OPTION…]
  --seed S    documents of this seed; the same seed gives the same documents [1]
  --count N   so many documents [100000]
  --from K    begin with document number K [0]
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

/** Runs a job in a worker. Answers the number of the document that never ended, or undefined. */
function watch(job: Job, sum: Sum): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: job });
    let index = job.from;
    let lastMs = Date.now();
    let patienceMs = PATIENCE_MS;
    const timer = setInterval(() => {
      if (Date.now() - lastMs < patienceMs) return;
      clearInterval(timer);
      void worker.terminate().then(() => done(index));
    }, 500);
    worker.on('message', (message: Message) => {
      lastMs = Date.now();
      patienceMs = message.what === 'shrinks' ? 10 * PATIENCE_MS : PATIENCE_MS;
      if (message.what === 'begins') index = message.index;
      else if (message.what === 'done') sum[message.outcome]++;
      else if (message.what === 'failed') void tell(sum, job.seed, message);
    });
    worker.on('error', fail);
    worker.on('exit', () => {
      clearInterval(timer);
      done(undefined);
    });
  });
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
  const args = { seed: 1, count: 100_000, from: 0, json: false };
  for (let i = 0; i < argv.length; i++) {
    const key = argv[i]!.replace(/^--/, '');
    const value = Number(argv[i + 1]);
    if (argv[i] === '--json') args.json = true;
    else if (argv[i] === '--help') return help(0);
    else if ((key === 'seed' || key === 'count' || key === 'from') && Number.isInteger(value) && value >= 0) {
      args[key] = value;
      i++;
    } else return help(2);
  }
  const sum: Sum = { passed: 0, refused: 0, failed: 0, kinds: new Map() };
  const end = args.from + args.count;
  const startMs = Date.now();
  console.error(`fuzz: documents ${args.from} to ${end - 1} of seed ${args.seed}`);
  for (let from = args.from; from < end; ) {
    const stuck = await watch({ seed: args.seed, from, end }, sum);
    if (stuck === undefined) break;
    const kind = 'every document ends';
    sum.failed++;
    sum.kinds.set(kind, (sum.kinds.get(kind) ?? 0) + 1);
    const document = fuzzDocument(args.seed, stuck);
    console.error(
      `failed: document ${stuck} of seed ${args.seed}\n  ${kind}: not within ${PATIENCE_MS / 1000} s\n  ${await linkOf(document)}\n`,
    );
    from = stuck + 1;
  }
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
