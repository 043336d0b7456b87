// The tools catch what they are there for: each test plants a fault in a copy of the set-up and runs the real tool.
// A rule that stops firing (a rename, a glob that matches nothing) is found here, not years later.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './testing/tidy/source_files.ts';

const TOOL_TIMEOUT_MS = 60_000;

let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'spinlane-planted-'));
  for (const path of [
    'biome.json',
    'scripts/lint',
    'tsconfig.base.json',
    'src/base/tsconfig.json',
    'src/trace/ids.ts',
  ]) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

describe('the linter', () => {
  const faults: [name: string, text: string, report: string][] = [
    ['random', 'export const x = Math.random();', 'plugin'],
    ['sine', 'export const x = Math.sin(1);', 'plugin'],
    ['cosine', 'export const x = Math.cos(1);', 'plugin'],
    ['exponential', 'export const x = Math.exp(1);', 'plugin'],
    ['logarithm', 'export const x = Math.log(1);', 'plugin'],
    ['power', 'export const x = Math.pow(3, 2);', 'plugin'],
    ['power_operator', 'export const x = (n: number): number => n ** 3;', 'plugin'],
    ['math_by_name', "export const x = Math['log' as 'log'](3);", 'plugin'],
    ['math_alias', 'const m = Math;\nexport const x = m.random();', 'plugin'],
    ['math_taken_apart', 'const { exp } = Math;\nexport const x = exp(1);', 'plugin'],
    ['clock', 'export const x = Date.now();', 'noRestrictedGlobals'],
    ['fine_clock', 'export const x = performance.now();', 'noRestrictedGlobals'],
    ['timer', 'setTimeout(() => {}, 1);', 'noRestrictedGlobals'],
    ['network', "export const x = (): unknown => fetch('x');", 'noRestrictedGlobals'],
    ['window', 'export const x = window;', 'noRestrictedGlobals'],
    ['document', 'export const x = document;', 'noRestrictedGlobals'],
    ['global_this', 'export const x = globalThis;', 'noRestrictedGlobals'],
    ['package', "import { useState } from 'react';\nexport const x = useState;", 'noRestrictedImports'],
    ['node', "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;", 'noRestrictedImports'],
    [
      'floating_promise',
      'async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}',
      'noFloatingPromises',
    ],
  ];

  let reports: Map<string, string[]>;

  beforeAll(async () => {
    for (const [name, text] of faults) {
      plant(`src/sim/${name}.ts`, text);
      plant(`src/ui/${name}.ts`, text);
    }
    plant('src/base/one.ts', "import { two } from './two.ts';\nexport const one = (): number => two();");
    plant('src/base/two.ts', "import { one } from './one.ts';\nexport const two = (): number => one();");
    reports = await lintReports();
  }, TOOL_TIMEOUT_MS);

  test.each(faults)('catches %s in the core', (name, _text, report) => {
    expect(reports.get(`src/sim/${name}.ts`)).toContain(report);
  });

  test('lets the page use its clock, and catches a floating promise there too', () => {
    expect(reports.get('src/ui/fine_clock.ts')).toBeUndefined();
    expect(reports.get('src/ui/sine.ts')).toBeUndefined();
    expect(reports.get('src/ui/floating_promise.ts')).toContain('noFloatingPromises');
  });

  test('catches imports in a circle', () => {
    expect(reports.get('src/base/one.ts')).toContain('noImportCycles');
  });
});

describe('the compiler', () => {
  let output = '';

  beforeAll(async () => {
    plant('src/base/up.ts', "import type { CpuId } from '../trace/ids.ts';\nexport type X = CpuId;");
    plant('src/base/dom.ts', 'export const x = document.title;');
    plant('src/base/timer.ts', 'export const x = setTimeout;');
    plant('src/base/index_access.ts', 'export const x = (list: readonly number[]): number => list[0];');
    output = await runTool('typescript/bin/tsc', ['-b', 'src/base', '--pretty', 'false']);
  }, TOOL_TIMEOUT_MS);

  const faults: [what: string, line: RegExp][] = [
    ['an import against the order of the folders', /src\/base\/up\.ts.*TS6307/],
    ['the page in the core', /src\/base\/dom\.ts.*TS(2584|2304)/],
    ['a timer in the core', /src\/base\/timer\.ts.*TS(2584|2304|2591)/],
    ['an index that may lie outside', /src\/base\/index_access\.ts.*TS2322/],
  ];

  test.each(faults)('catches %s', (_what, line) => {
    expect(output).toMatch(line);
  });
});

function plant(path: string, text: string): void {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** File -> names of the rules that reported an error there ('plugin' for ours). */
async function lintReports(): Promise<Map<string, string[]>> {
  const output = await runTool('@biomejs/biome/bin/biome', ['lint', '--reporter=json', '--max-diagnostics=500', 'src']);
  const { diagnostics } = JSON.parse(output.slice(output.indexOf('{'))) as {
    diagnostics: { severity: string; category: string; location: { path: string } }[];
  };
  const reports = new Map<string, string[]>();
  for (const { severity, category, location } of diagnostics) {
    if (severity !== 'error') continue;
    const rule = category.slice(category.lastIndexOf('/') + 1);
    reports.set(location.path, [...(reports.get(location.path) ?? []), rule]);
  }
  return reports;
}

/** Standard output of a tool of node_modules, run in the copy. Its exit code is not of interest: faults are planted. */
function runTool(script: string, args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    const command = [join(ROOT, 'node_modules', script), ...args];
    execFile(process.execPath, command, { cwd: copy, maxBuffer: 1 << 26 }, (_error, stdout) => done(stdout));
  });
}
