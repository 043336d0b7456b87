// Which folder of src/ may import which. The compiler's project references say the same; this reads the imports
// themselves, so that a reference added in passing does not widen the rule.

import type { SourceFile } from './source_files.ts';

/** Folder of src/ -> folders it may import. Itself is always allowed. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  trace: ['base'],
  scenario: ['base', 'trace'],
  sim: ['base', 'trace', 'scenario'],
  explain: ['base', 'trace', 'scenario'],
  analysis: ['base', 'trace', 'scenario', 'explain'],
  formats: ['base', 'trace'],
  engine: ['base', 'trace', 'scenario', 'sim', 'explain', 'analysis', 'formats'],
  view: ['base', 'trace', 'explain'],
  store: ['base', 'trace', 'scenario', 'explain', 'analysis', 'engine', 'view'],
  ui: ['base', 'trace', 'scenario', 'explain', 'analysis', 'view', 'store'],
  cli: ['base', 'trace', 'scenario', 'sim', 'explain', 'analysis', 'formats'],
  golden_page: ['base', 'scenario', 'view', 'store', 'testing'],
  testing: ['base', 'trace', 'scenario', 'sim', 'explain', 'analysis', 'formats'],
};

/** Packages that a folder may import. A folder that is not here may import none. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  formats: ['fzstd'],
  engine: ['comlink'],
  view: ['d3'],
  store: ['zustand', 'comlink'],
  ui: ['react', 'react-dom', 'zustand', 'uqr', 'd3'],
  golden_page: ['react', 'react-dom'],
  cli: ['node:'],
  testing: ['node:', 'fast-check', 'vitest'],
};

/** The only door to sim/. */
const SIM_DOOR = 'src/sim/api.ts';

/** Sentences about imports that break the rule, in order of the files. Tests may import what they test, from anywhere. */
export function importFaults(files: readonly SourceFile[]): string[] {
  return files.filter((file) => isProductCode(file.path)).flatMap(faultsOf);
}

/** What a file imports, as written: static, dynamic, re-exported, workers. Comments don't count. */
export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const forms = [
    /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
    /\bnew URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1]!));
}

function isProductCode(path: string): boolean {
  return /^src\/[^/]+\/.*\.tsx?$/.test(path) && !/\.(test|bench)\.tsx?$/.test(path);
}

function faultsOf(file: SourceFile): string[] {
  const from = folderOf(file.path)!;
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return [`${file.path}: src/${from} is in no import rule`];
  return importsOf(file.text).flatMap((specifier) => {
    const fault = specifier.startsWith('.')
      ? faultOfPath(from, allowed, resolvePath(file.path, specifier))
      : faultOfPackage(from, specifier);
    return fault === undefined ? [] : [`${file.path} imports ${specifier}: ${fault}`];
  });
}

function faultOfPath(from: string, allowed: readonly string[], target: string): string | undefined {
  const to = folderOf(target);
  if (to === undefined) return 'outside of the folders of src/';
  if (to === from) return undefined;
  if (!allowed.includes(to)) return `${from} may import ${allowed.join(', ') || 'nothing'}`;
  if (to === 'sim' && target !== SIM_DOOR) return `sim/ is entered through ${SIM_DOOR} only`;
  return undefined;
}

function faultOfPackage(from: string, specifier: string): string | undefined {
  const allowed = PACKAGES[from] ?? [];
  const fits = allowed.some((name) =>
    name.endsWith(':') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
  );
  return fits ? undefined : `${from} may import the packages ${allowed.join(', ') || '(none)'}`;
}

function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

function resolvePath(fromFile: string, specifier: string): string {
  const parts = fromFile.split('/').slice(0, -1);
  for (const part of specifier.replace(/\?.*$/, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
