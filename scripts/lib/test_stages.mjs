// What `npm test` does after the version check: every stage in turn, the fastest first, going on after a failure.
// A stage counts checks; one that ran none has failed. The last line is the sum, for people and build machines.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensurePageBuilt } from './build_page.mjs';
import { ensureBundle } from './bundle.mjs';
import { ensureInstalled } from './install.mjs';
import { BUILD_DIR, inRoot, packageScript, run, runNode } from './project.mjs';

const REPORTS = join(BUILD_DIR, 'reports');

/** name, what it needs to be worth starting, how it counts */
const STAGES = [
  { name: 'types', run: types },
  { name: 'lint', run: lint },
  { name: 'unit', run: unit },
  { name: 'fuzz', run: fuzz },
  { name: 'golden', run: golden },
  { name: 'scenarios', run: scenarios },
  { name: 'browser', run: browser },
];

/**
 * Runs all stages, or those named as arguments (`npm test -- types unit`).
 * Sets the exit code: 0 only when each stage ran something and nothing failed.
 */
export async function runAllStages(args) {
  const chosen = args.length === 0 ? STAGES : STAGES.filter((stage) => args.includes(stage.name));
  const unknown = args.filter((arg) => !STAGES.some((stage) => stage.name === arg));
  if (unknown.length > 0) {
    console.error(`Unknown stage: ${unknown.join(', ')}. The stages are ${STAGES.map((s) => s.name).join(', ')}.`);
    process.exit(2);
  }
  if (!(await ensureInstalled())) return finish({ passed: 0, failed: 1 });
  mkdirSync(REPORTS, { recursive: true });

  const sum = { passed: 0, failed: 0 };
  const lines = [];
  for (const stage of chosen) {
    console.log(`\n== ${stage.name}`);
    const startMs = Date.now();
    const count = await countOf(stage);
    sum.passed += count.passed;
    sum.failed += count.failed;
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
    lines.push(`${stage.name.padEnd(10)} ${count.passed} passed, ${count.failed} failed (${seconds} s)`);
    console.log(lines.at(-1));
  }
  console.log(`\n${lines.map((line) => `   ${line}`).join('\n')}\n`);
  return finish(sum);
}

function finish(sum) {
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;
}

/** A stage that breaks, or that ran nothing, is one failure: silence must not look like success. */
async function countOf(stage) {
  let count;
  try {
    count = await stage.run();
  } catch (error) {
    console.error(error.message);
    count = { passed: 0, failed: 1 };
  }
  if (count.passed + count.failed > 0) return count;
  console.error(`${stage.name}: no check ran.`);
  return { passed: 0, failed: 1 };
}

/** One check per project of tsconfig.json. */
async function types() {
  const projects = JSON.parse(readFileSync(inRoot('tsconfig.json'), 'utf8')).references.length;
  const { code, output } = await runNode(
    packageScript('typescript', 'bin', 'tsc'),
    ['-b', '--force', '--pretty', 'false'],
    {
      capture: 'all',
    },
  );
  process.stdout.write(output);
  const errors = output.split('\n').filter((line) => /\berror TS\d+/.test(line)).length;
  return code === 0 ? { passed: projects, failed: 0 } : { passed: 0, failed: Math.max(1, errors) };
}

/** One check per file. */
async function lint() {
  const args = ['check', '--error-on-warnings', '--max-diagnostics=50', '.'];
  const { code, output } = await runNode(packageScript('@biomejs', 'biome', 'bin', 'biome'), args, { capture: 'all' });
  process.stdout.write(output);
  const files = Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0);
  const errors = Number(/Found (\d+) errors?/.exec(output)?.[1] ?? 0);
  const warnings = Number(/Found (\d+) warnings?/.exec(output)?.[1] ?? 0);
  return code === 0 ? { passed: files, failed: 0 } : { passed: 0, failed: Math.max(1, errors + warnings) };
}

/** Unit and property tests. */
async function unit() {
  const report = freshReport('vitest.json');
  const { code } = await runNode(packageScript('vitest', 'vitest.mjs'), [
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const result = readReport(report);
  return withExitCode(code, {
    passed: result?.numPassedTests ?? 0,
    // A file that does not load has no tests to fail.
    failed: (result?.numFailedTests ?? 0) + suitesThatDidNotLoad(result),
  });
}

function suitesThatDidNotLoad(result) {
  const files = result?.testResults ?? [];
  return files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
}

const FUZZ_DOCUMENTS = 1000;

/** Random documents, others for each commit: one check per document. */
async function fuzz() {
  const bundle = await ensureBundle('fuzz', 'src/testing/fuzz/main.ts', 'testing');
  const seed = await seedOfCommit();
  const args = ['--seed', String(seed), '--count', String(FUZZ_DOCUMENTS), '--json'];
  const { code, output } = await runNode(bundle, args, { capture: 'out' });
  const { passed, refused, failed } = JSON.parse(output.trim().split('\n').at(-1));
  console.log(
    `seed ${seed}: ${passed} ran, ${refused} refused with reasons; again with npm run fuzz -- --seed ${seed}`,
  );
  return withExitCode(code, { passed: passed + refused, failed });
}

/** A number from the commit that is checked out; 1 where there is none. */
async function seedOfCommit() {
  const { code, output } = await run('git', ['rev-parse', '--short=8', 'HEAD'], { capture: 'all' });
  return code === 0 ? Number.parseInt(output.trim().slice(0, 8), 16) : 1;
}

/** Workloads beside recorded kernels: one check per measure. Listed misses are shown, and are neither passed nor failed. */
async function golden() {
  const bundle = await ensureBundle('golden', 'src/testing/golden/main.ts', 'testing');
  const { code, output } = await runNode(bundle, ['--ci', '--json'], { capture: 'out' });
  const { rows, passed, failed, fresh } = JSON.parse(output);
  const misses = rows.filter((row) => !row.ok);
  for (const row of misses) {
    const word = fresh.includes(row.id) ? 'MISS' : 'known miss';
    console.log(
      `${word}  ${row.id}: recorded ${row.recorded}, simulated ${row.simulated} ${row.detail ?? ''}`.trimEnd(),
    );
  }
  if (failed > fresh.length) console.log(`${failed - fresh.length} known misses; npm run golden has the table.`);
  return withExitCode(code, { passed, failed: fresh.length });
}

/** The claims of every scenario of the library: one check per claim. */
async function scenarios() {
  const { code, output } = await runNode(await ensureBundle('sim', 'src/cli/main.ts', 'cli'), ['check', '--all'], {
    capture: 'all',
  });
  process.stdout.write(output);
  const lines = output.split('\n');
  return withExitCode(code, {
    passed: lines.filter((line) => /^ok\b/.test(line)).length,
    failed: lines.filter((line) => /^failed\b/.test(line)).length,
  });
}

/** Visitors' stories in a real browser, against the built page on a free port. */
async function browser() {
  const path = await ensureBrowser();
  if (path === undefined || !(await ensurePageBuilt())) return { passed: 0, failed: 1 };
  const report = freshReport('playwright.json');
  const { code } = await runNode(packageScript('playwright', 'cli.js'), ['test', '--reporter=list,json'], {
    env: { CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const stats = readReport(report)?.stats;
  return withExitCode(code, {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
  });
}

function freshReport(name) {
  const path = join(REPORTS, name);
  rmSync(path, { force: true });
  return path;
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** A tool that ended badly without naming a failed check still failed. */
function withExitCode(code, count) {
  return code !== 0 && count.failed === 0 ? { passed: count.passed, failed: 1 } : count;
}
