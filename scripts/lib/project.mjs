// Where things are, and how to run a program of the project. Used by every script.

import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root. */
export const ROOT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Everything that scripts make and git ignores: bundles, stamps, reports. */
export const BUILD_DIR = join(ROOT, '.build');

/** An absolute path inside the checkout. */
export function inRoot(...parts) {
  return join(ROOT, ...parts);
}

/** The script of a package in node_modules, to be run with this Node: `node_modules/vitest/vitest.mjs`. */
export function packageScript(...parts) {
  return inRoot('node_modules', ...parts);
}

/**
 * Runs a program to its end.
 *
 * @param options.capture 'all': standard output and error are collected instead of shown; 'out': only the former
 * @param options.stdout 2: standard output goes to standard error (a caller's standard output holds a result)
 * @returns { code, output }; code is 127 where the program is not there. Never throws.
 */
export function run(command, args, options = {}) {
  const out = options.capture ? 'pipe' : (options.stdout ?? 'inherit');
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      env: { ...toolEnvironment(), ...options.env },
      stdio: ['ignore', out, options.capture === 'all' ? 'pipe' : 'inherit'],
      shell: options.shell ?? false,
      timeout: options.timeoutMs,
    });
    let output = '';
    child.stdout?.on('data', (piece) => (output += piece));
    child.stderr?.on('data', (piece) => (output += piece));
    child.on('error', (error) => done({ code: 127, output: String(error) }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

/** Runs a JavaScript file with the Node that runs this. */
export function runNode(script, args, options) {
  return run(process.execPath, [script, ...args], options);
}

/** The environment for tools. Where the home folder can't be written, caches go into the checkout. */
export function toolEnvironment() {
  if (isWritable(process.env.HOME ?? safeHome())) return process.env;
  const home = join(BUILD_DIR, 'home');
  mkdirSync(home, { recursive: true });
  return {
    ...process.env,
    // npm hands its own default down to what it runs, which lies in that home folder.
    npm_config_cache: isWritable(process.env.npm_config_cache) ? process.env.npm_config_cache : join(home, 'npm'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
}

function safeHome() {
  try {
    return homedir();
  } catch {
    return '';
  }
}

function isWritable(folder) {
  if (folder === undefined) return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
