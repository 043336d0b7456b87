import { expect, test } from 'vitest';
import * as sim from '../sim/api.ts';
import { memoryIo } from './memory_io.ts';
import { runCli } from './run_cli.ts';

async function cli(argv: readonly string[], files: Readonly<Record<string, string | Uint8Array>> = {}, stdin = '') {
  const io = memoryIo(files);
  io.stdin = stdin;
  const code = await runCli(argv, io, sim);
  return {
    code,
    out: io.out,
    err: io.err,
    lines: io.out.split('\n').slice(0, -1),
    errLines: io.err.split('\n').slice(0, -1),
  };
}

/** Two threads share CPU 0 by weight: nice 0 and nice 5, 1024 : 335. */
const SHARE = {
  version: 1,
  title: 'Two loops',
  duration: '4s',
  machine: { cpus: 1, kernel: '6.12' },
  threads: [
    { name: 'a', program: [{ run: 'forever' }] },
    { name: 'b', nice: 5, program: [{ run: 'forever' }] },
  ],
  params: { late: { label: 'late', default: '1s' } },
  expect: [
    { claim: 'by weight', measure: 'share(a)', is: 1024 / 1359, within: 0.005 },
    { claim: 'wrong', measure: 'share(a)', is: 0.5, within: 0.01 },
  ],
};
const GOOD = { ...SHARE, expect: SHARE.expect.slice(0, 1) };
const text = (document: unknown): string => JSON.stringify(document);

test('run --json prints the result alone, and exits with 0 even where a claim fails', async () => {
  const { code, out, err } = await cli(['run', 'share.json', '--json'], { 'share.json': text(SHARE) });
  expect([code, err]).toEqual([0, '']);
  const result = JSON.parse(out);
  expect(Object.keys(result)).toEqual([
    'title',
    'engine',
    'settings',
    'duration_ns',
    'events',
    'hash',
    'cpus',
    'threads',
    'locks',
    'verdicts',
    'marks',
    'notes',
    'claims',
  ]);
  expect(result).toMatchObject({ title: 'Two loops', duration_ns: 4e9, settings: { kernel: '6.12', late: '1s' } });
  expect(result.hash).toMatch(/^\d+:[0-9a-f]{16}$/);
  expect(result.threads[0].run_ns + result.threads[1].run_ns).toBe(4e9);
  expect(result.claims.map((claim: { ok: boolean }) => claim.ok)).toEqual([true, false]);
});

test('--segments adds rows that cover each CPU exactly once', async () => {
  const { out } = await cli(['run', '-', '--json', '--segments', '--between', '10ms', '50ms'], {}, text(GOOD));
  const rows = (JSON.parse(out).segments as [number, number, number, string, string][]).filter((row) => row[0] === 0);
  expect(rows[0]![1]).toBe(10e6);
  expect(rows.at(-1)![2]).toBe(50e6);
  for (let i = 1; i < rows.length; i++) expect(rows[i]![1]).toBe(rows[i - 1]![2]);
});

test('--between counts over the window; the two halves of a run add up to the whole', async () => {
  const run = async (...args: string[]) =>
    JSON.parse((await cli(['run', 'f', '--json', ...args], { f: text(GOOD) })).out);
  const [whole, left, right] = [
    await run(),
    await run('--between', '0s', '1.5s'),
    await run('--between', '1.5s', '4s'),
  ];
  for (const key of ['run_ns', 'runnable_ns', 'switches', 'preemptions'])
    expect(left.threads[1][key] + right.threads[1][key]).toBe(whole.threads[1][key]);
  expect(left.hash).toBe(whole.hash);
});

test('check runs each distinct "when" once and exits with 1 when a claim failed', async () => {
  const document = {
    ...SHARE,
    expect: [
      ...SHARE.expect,
      { claim: 'alone on two CPUs', when: { cpus: 2 }, measure: 'share(a)', is: 1, within: 0.01 },
    ],
  };
  const { code, lines } = await cli(['check', 's.json'], { 's.json': text(document) });
  expect(code).toBe(1);
  expect(lines[0]).toBe('s.json');
  expect(lines[1]).toMatch(/^ok {6}by weight: share\(a\) = 0\.75\d+$/);
  expect(lines[2]).toMatch(/^failed {2}wrong: share\(a\) = 0\.75\d+, not 0\.5 ± 0\.01$/);
  expect(lines[3]).toBe('s.json with cpus=2');
  expect(lines[4]).toMatch(/^ok {6}alone on two CPUs/);
  expect(lines[5]).toBe('2 ok, 1 failed');
  expect((await cli(['check', 's.json'], { 's.json': text(GOOD) })).code).toBe(0);
});

test('every problem of a document is listed with its place and a hint, and the exit code is 2', async () => {
  const bad = {
    ...SHARE,
    duration: 150,
    threads: [{ name: 'a', policy: 'fifo', priority: 120, program: [{ lock: 'nobody' }] }],
    colour: 1,
    expect: [],
  };
  const { code, out, errLines } = await cli(['run', 'bad.json'], { 'bad.json': text(bad) });
  expect([code, out]).toEqual([2, '']);
  expect(errLines.length).toBeGreaterThanOrEqual(4);
  for (const line of errLines) expect(line).toMatch(/^bad\.json: \S+: .+\. .+/);
  expect(errLines.join('\n')).toMatch(/threads\[0\]\.priority.*[\s\S]*threads\[0\]\.program\[0\]/);
});

test('settings that do not exist are named as they were typed', async () => {
  const { code, errLines } = await cli(['run', 'f', '--set', 'kernl=6.1', '--set', 'late=7', '--at', '1s', 'cpus=2'], {
    f: text(GOOD),
  });
  expect(code).toBe(2);
  expect(errLines.some((line) => line.startsWith('f: --set kernl: ') && line.includes('kernel'))).toBe(true);
  expect(errLines.some((line) => line.startsWith('f: --set late: '))).toBe(true);
  expect(errLines.some((line) => line.startsWith('f: --at 1s cpus: '))).toBe(true);
});

test('mistakes in arguments are all reported, nothing is printed to standard output', async () => {
  const { code, out, errLines } = await cli([
    'run',
    '--josn',
    '--set',
    'x',
    '--at',
    '5',
    'a=b',
    '--between',
    '5ms',
    '1ms',
    '--trace',
    '--segments',
  ]);
  expect([code, out]).toEqual([2, '']);
  expect(errLines).toEqual([
    'There is no option "--josn". Did you mean --json?',
    '--segments goes with --json.',
    'run needs a FILE or NAME.',
    '--set has "x", which is no "toggle=value". For example --set rt=off.',
    '--at has "5", which has no unit. Add one: "5us" or "5ms".',
    '--between is an empty stretch: its end is not after its start. Write the earlier time first.',
    'See: npm run -s sim -- run --help',
  ]);
  expect((await cli(['run', 'f', '--json', '--text'], { f: text(GOOD) })).err).toContain(
    '--json and --text exclude each other.',
  );
  expect((await cli(['run', 'f', '--between', '5s', '6s'], { f: text(GOOD) })).err).toContain(
    '--between begins at 5.000 s; the run ends at 4.000 s.',
  );
});

test('files that are no document get one clear line', async () => {
  const one = async (name: string, content?: string | Uint8Array) => {
    const { code, out, errLines } = await cli(['run', name], content === undefined ? {} : { [name]: content });
    expect([code, out, errLines.length]).toEqual([2, '', 1]);
    return errLines[0];
  };
  expect(await one('nothing.json')).toMatch(/^nothing\.json: There is no such file\./);
  expect(await one('bmaloc-hang')).toMatch(/Did you mean "bmalloc-hang"\?$/);
  expect(await one('big', new Uint8Array(300_000))).toMatch(/too large for a scenario: 300 KB/);
  expect(await one('bin', Uint8Array.of(0x7f, 0x45, 0, 1))).toMatch(/binary file/);
  expect(await one('latin1', Uint8Array.of(0x7b, 0xe4, 0x7d))).toMatch(/binary file/);
  expect(await one('trace.dat', Uint8Array.of(0x17, 0x08, 0x44, 0x74, 0))).toMatch(/recorded trace/);
  expect(await one('cut.json', '{ "version": 1, "threads": [')).toMatch(/line 1, column/);
  expect(await one('empty.json', '')).toMatch(/\.$/);
});

test('control characters of a hostile document never reach the terminal', async () => {
  const document = {
    ...GOOD,
    title: 'x\u001b[31mred\u202e',
    expect: [{ claim: 'c\u001b]0;t\u0007', measure: 'share(a)', atLeast: 0 }],
  };
  for (const argv of [
    ['run', 'f'],
    ['check', 'f'],
  ]) {
    const { out, err } = await cli(argv, { f: text(document) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test('the report names verdict, threads, locks, claims', async () => {
  const { code, out } = await cli(['run', 'bmalloc-hang']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Hang\. All 4 CPUs spin on heap\. WebProcess holds it, is runnable on CPU \d and can never run\.$/m,
  );
  expect(out).toMatch(/^A WebProcess {6}\| {8}#{32}\.{40}\|$/m);
  expect(out).toMatch(/^WebProcess +OTHER/m);
  expect(out).toMatch(/^Lock heap \(spin\): got by WebProcess 1; no hold ended$/m);
});

test('a switch flipped on the way clears the hang, and claims about other settings are left out', async () => {
  const result = JSON.parse((await cli(['run', 'bmalloc-hang', '--at', '100ms', 'backoff=usleep150', '--json'])).out);
  expect(result.verdicts[0]).toMatchObject({ kind: 'rt-spin-hang', forever: false });
  expect(result.verdicts[0].to_ns).toBeGreaterThanOrEqual(100e6);
  expect(result.claims).toEqual([]);
});

test('--trace prints the lines of trace-cmd report', async () => {
  const { code, lines } = await cli(['run', 'pi-reweight', '--trace', '--between', '300ms', '340ms']);
  expect(code).toBe(0);
  expect(lines[0]).toBe('cpus=1');
  // Columns as in fact 13.4: comm to 16, pid to 5, CPU in 3 digits, seconds to 5, event to 21.
  for (const line of lines.slice(1)) expect(line).toMatch(/^.{16}-\d+ +\[000\] {5}0\.3\d{5}: \w+: +\S/);
  expect(lines).toContain(
    '            high-1002  [000]     0.300000: sched_pi_setprio:     comm=low pid=1001 oldprio=130 newprio=120',
  );
  expect(lines).toContain(
    '            high-1002  [000]     0.300000: sched_switch:         high:1002 [120] S ==> main:1000 [120]',
  );
});

test('list has a line a scenario, url the link, help for everything', async () => {
  expect((await cli(['list'])).lines.map((line) => line.split(/ {2,}/)[0])).toEqual(
    expect.arrayContaining(['bmalloc-hang', 'bmalloc-slow-path', 'pi-reweight']),
  );
  expect((await cli(['url', 'bmalloc-hang', '--set', 'rt=off', '--at', '100ms', 'backoff=pi'])).out).toBe(
    '#/bmalloc-hang?rt=off&do=100ms:backoff=pi\n',
  );
  expect((await cli(['url', 'f', '--base', 'http://localhost:4173/'], { f: text(GOOD) })).out).toMatch(
    /^http:\/\/localhost:4173\/#\/z=[\w-]+\n$/,
  );
  expect((await cli(['url', 'f', '--set', 'rt2=off'], { f: text(GOOD) })).code).toBe(2);
  for (const argv of [
    ['--help'],
    ['run', '--help'],
    ['check', '--help'],
    ['list', '--help'],
    ['url', '--help'],
    ['run', '-h'],
  ]) {
    const { code, out, err } = await cli(argv);
    expect([code, err, out.length > 100 || argv[0] === 'list']).toEqual([0, '', true]);
  }
  expect(await cli([])).toMatchObject({ code: 2, out: '' });
  expect((await cli(['chekc'])).err).toContain('Did you mean check?');
});

test('a run that a bound stops says so, prints what it has and exits with 3', async () => {
  const bounded = {
    ...sim,
    createSimulation: (...[scenario, options]: Parameters<typeof sim.createSimulation>) =>
      sim.createSimulation(scenario, { ...options, maxEvents: 50 }),
  };
  for (const form of ['--json', '--text', '--trace']) {
    const io = memoryIo({ f: text(GOOD) });
    expect(await runCli(['run', 'f', form], io, bounded)).toBe(3);
    expect(io.err).toMatch(/^The run stopped at a bound: 50 events\.\n$/);
    if (form !== '--json') continue;
    const result = JSON.parse(io.out);
    expect(result.duration_ns).toBeLessThan(4e9);
    expect(result.threads[0].run_ns + result.threads[1].run_ns).toBe(result.duration_ns);
  }
});

test('ten thousand steps at one instant are a finding, not an error', async () => {
  const document = {
    ...GOOD,
    expect: [],
    threads: [{ name: 'w', program: [{ run: '1ms' }, { repeat: 'forever', do: ['yield'] }] }],
  };
  const { code, out } = await cli(['run', 'f'], { f: text(document) });
  expect(code).toBe(0);
  expect(out).toMatch(/^Livelock\. w does 10 \d{3} steps at one instant/m);
});

test('characters that steer a terminal reach standard output in no form', async () => {
  const mark = 'clear\u001b[2J \u009b31m turn\u202e';
  const hostile = { ...GOOD, threads: [{ name: 'a', program: [{ run: '1ms' }, { mark }] }], title: mark, expect: [] };
  for (const form of ['--text', '--json', '--trace']) {
    const { code, out } = await cli(['run', 'f', form], { f: text(hostile) });
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    if (form === '--json') expect(JSON.parse(out)).toMatchObject({ title: mark, marks: [[1e6, 'a', mark]] });
  }
});

test('state prints the queues of an instant; a wrong instant is said', async () => {
  const files = { 'share.json': text(GOOD) };
  const { code, out } = await cli(['state', 'share.json', '--when', '6ms', '--json'], files);
  expect(code).toBe(0);
  const state = JSON.parse(out);
  // HZ 250: a runs up to the tick at 4 ms, then b: 2 ms at weight 335 are 2 ms * 1024 / 335 of virtual time.
  const [a, b] = ['a', 'b'].map((_, task) =>
    state.cpus[0].fair[0].entities.find((e: { task: number }) => e.task === task),
  );
  expect([state.cpus[0].current, a.vruntime]).toEqual([1, 4_000_000]);
  expect(Math.abs(b.vruntime - (2_000_000 * 1024) / 335)).toBeLessThan(2);
  expect((await cli(['state', 'share.json', '--when', '6ms'], files)).out).toContain('> b');
  expect((await cli(['state', 'share.json', '--when', '4s'], files)).code).toBe(2);
  expect((await cli(['state', 'share.json', '--when', 'soon'], files)).code).toBe(2);
  expect((await cli(['state', 'share.json'], files)).err).toContain('--when');
});
