import { afterEach, expect, test } from 'vitest';
import { type ClientOptions, createSimClient, type SimClient } from './client.ts';
import { TURN_NS } from './testkit/fake_sim.ts';
import { collectingSink, fakeHost, muteWorker, type PortWorker, portWorker, requestOf } from './testkit/run_in_node.ts';

const TURNS = 20_000;
const clients: SimClient[] = [];

function clientOf(spawn: () => PortWorker, options: ClientOptions = {}): SimClient {
  const client = createSimClient({ spawn, ...options });
  clients.push(client);
  return client;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

test('a run through the wire gives the trace and hash of a run without it', async () => {
  const direct = collectingSink();
  const expected = await fakeHost().start(requestOf(1, TURNS * TURN_NS), direct);
  const sink = collectingSink();
  const summary = await clientOf(() => portWorker(fakeHost())).start(requestOf(1, TURNS * TURN_NS), sink);
  expect(summary?.hash).toBe(expected?.hash);
  expect(sink.store!.columns[0]!.count).toBe(TURNS);
  expect(sink.store!.records.tsNs.slice(0, TURNS)).toEqual(direct.store!.records.tsNs.slice(0, TURNS));
});

test('a bad document ends without a summary and without a new worker', async () => {
  let spawned = 0;
  const client = clientOf(() => {
    spawned++;
    return portWorker(fakeHost());
  });
  const sink = collectingSink();
  expect(await client.start({ ...requestOf(1, 1), document: { bad: true } }, sink)).toBeUndefined();
  expect(sink.starts[0]).toMatchObject({ ok: false });
  expect((await client.start(requestOf(2, TURN_NS), collectingSink()))?.outcome).toBe('done');
  expect(spawned).toBe(1);
});

test('after a cancel the call ends at once, late chunks are dropped and the next run is complete', async () => {
  const client = clientOf(() => portWorker(fakeHost({ sizes: { firstRows: 10, maxRows: 50, growth: 1 } })));
  const sink = collectingSink();
  const endless = client.start(requestOf(1, 1e12), sink);
  while (sink.seqs.length < 3) await pause(1);
  client.cancel(1);
  expect(await endless).toBeUndefined();
  const heard = sink.seqs.length;
  const next = collectingSink();
  const summary = await client.start(requestOf(2, 1000 * TURN_NS), next);
  expect(summary).toMatchObject({ runId: 2, outcome: 'done' });
  expect(sink.seqs.length).toBe(heard);
  expect(next.store!.columns[0]!.count).toBe(1000);
});

test('a run cancelled before its worker has loaded never begins', async () => {
  const sink = collectingSink();
  const client = clientOf(() => portWorker(fakeHost()));
  const run = client.start(requestOf(1, TURN_NS), sink);
  client.cancel(1);
  expect(await run).toBeUndefined();
  await pause(20);
  expect(sink.starts).toEqual([]);
});

test('a worker that crashes ends its run, is replaced, and the page hears it in words', async () => {
  const workers: PortWorker[] = [];
  const notices: string[] = [];
  const client = clientOf(
    () => {
      workers.push(portWorker(fakeHost()));
      return workers.at(-1)!;
    },
    { onNotice: (text) => notices.push(text) },
  );
  const sink = collectingSink();
  const run = client.start(requestOf(1, 1e12), sink);
  const rejection = expect(run).rejects.toMatchObject({
    code: 'crashed',
    message: 'The simulation failed: out of memory.',
  });
  while (sink.seqs.length === 0) await pause(1);
  workers[0]!.crash('out of memory');
  await rejection;
  expect(workers[0]!.isTerminated).toBe(true);
  expect(notices).toEqual(['The simulation failed: out of memory. It was started anew; run again to go on.']);
  expect((await client.start(requestOf(2, TURN_NS), collectingSink()))?.outcome).toBe('done');
  expect(workers.length).toBe(2);
});

test('a worker that falls silent while it runs is replaced', async () => {
  const notices: string[] = [];
  let stuck = true;
  const client = clientOf(
    () => {
      // Stuck: the event loop of the worker never gets its turn again.
      const host = stuck ? fakeHost({ yieldTurn: () => new Promise(() => {}) }) : fakeHost();
      stuck = false;
      return portWorker(host);
    },
    { patience: { runningMs: 60 }, onNotice: (text) => notices.push(text) },
  );
  await expect(client.start(requestOf(1, 1e12), collectingSink())).rejects.toMatchObject({ code: 'stuck' });
  expect(notices.length).toBe(1);
  expect((await client.start(requestOf(2, TURN_NS), collectingSink()))?.outcome).toBe('done');
});

test('a reader that takes long is no silence of the worker', async () => {
  const client = clientOf(() => portWorker(fakeHost({ sizes: { maxBytesInFlight: 1 } })), {
    patience: { runningMs: 40 },
  });
  const slow = collectingSink((seq) => (seq === 0 ? pause(150).then(() => {}) : undefined));
  expect((await client.start(requestOf(1, TURNS * TURN_NS), slow))?.outcome).toBe('done');
});

test('a worker that never loads is given up, and not spawned again before the next run', async () => {
  let spawned = 0;
  const client = clientOf(
    () => {
      spawned++;
      return spawned === 1 ? muteWorker() : portWorker(fakeHost());
    },
    { patience: { loadingMs: 60, runningMs: 30 } },
  );
  await expect(client.start(requestOf(1, TURN_NS), collectingSink())).rejects.toMatchObject({ code: 'stuck' });
  expect(spawned).toBe(1);
  expect((await client.start(requestOf(2, TURN_NS), collectingSink()))?.outcome).toBe('done');
  expect(spawned).toBe(2);
});

test('a worker of another version is refused with a reason', async () => {
  const host = fakeHost();
  const client = clientOf(() => portWorker({ ...host, hello: () => ({ protocol: 99, engine: 'later' }) }));
  await expect(client.start(requestOf(1, TURN_NS), collectingSink())).rejects.toMatchObject({
    code: 'version',
    message: 'The page speaks version 2 and its worker version 99. Reload the page.',
  });
});

test('a bug in the run rejects with its message, and the worker stays', async () => {
  let spawned = 0;
  const client = clientOf(() => {
    spawned++;
    return portWorker(fakeHost({}, { failAtEvent: 5000 }));
  });
  await expect(client.start(requestOf(1, 1e12), collectingSink())).rejects.toMatchObject({
    code: 'bug',
    message: 'bug: the fake was told to fail',
  });
  expect((await client.start(requestOf(2, 10 * TURN_NS), collectingSink()))?.outcome).toBe('done');
  expect(spawned).toBe(1);
});

test('closing twice ends open runs once, and later calls fail at once', async () => {
  const client = clientOf(() => portWorker(fakeHost()));
  const run = client.start(requestOf(1, 1e12), collectingSink());
  const rejection = expect(run).rejects.toMatchObject({ code: 'closed' });
  client.close();
  client.close();
  await rejection;
  await expect(client.start(requestOf(2, 1), collectingSink())).rejects.toMatchObject({ code: 'closed' });
});
