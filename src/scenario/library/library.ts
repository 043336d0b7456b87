// The scenarios that come with Spinlane. Imported, not fetched, so that page, worker and command line have the same ones.

import type { JsonObject } from '../document.ts';
import abbaDeadlock from './abba-deadlock.json' with { type: 'json' };
import adaptiveMutex from './adaptive-mutex.json' with { type: 'json' };
import bmallocHang from './bmalloc-hang.json' with { type: 'json' };
import bmallocSlowPath from './bmalloc-slow-path.json' with { type: 'json' };
import cpuQuota from './cpu-quota.json' with { type: 'json' };
import deadlineAdmission from './deadline-admission.json' with { type: 'json' };
import eevdfSlice from './eevdf-slice.json' with { type: 'json' };
import lockConvoy from './lock-convoy.json' with { type: 'json' };
import migration from './migration.json' with { type: 'json' };
import nestedPi from './nested-pi.json' with { type: 'json' };
import niceShares from './nice-shares.json' with { type: 'json' };
import pathfinder from './pathfinder.json' with { type: 'json' };
import piChain from './pi-chain.json' with { type: 'json' };
import piNoWeight from './pi-no-weight.json' with { type: 'json' };
import piRelease from './pi-release.json' with { type: 'json' };
import piReweight from './pi-reweight.json' with { type: 'json' };
import pingPong from './ping-pong.json' with { type: 'json' };
import priorityCeiling from './priority-ceiling.json' with { type: 'json' };
import priorityInversion from './priority-inversion.json' with { type: 'json' };
import quotaFreeze from './quota-freeze.json' with { type: 'json' };
import quotaThreads from './quota-threads.json' with { type: 'json' };
import readerStarvation from './reader-starvation.json' with { type: 'json' };
import rtThrottleSharing from './rt-throttle-sharing.json' with { type: 'json' };
import rtThrottling from './rt-throttling.json' with { type: 'json' };
import rtYieldFreeze from './rt-yield-freeze.json' with { type: 'json' };
import stuckBoost from './stuck-boost.json' with { type: 'json' };
import thunderingHerd from './thundering-herd.json' with { type: 'json' };
import timerSlack from './timer-slack.json' with { type: 'json' };
import yieldStorm from './yield-storm.json' with { type: 'json' };

export interface LibraryEntry {
  /** Promised name: stands in links and on command lines. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Heading under which lists show it; entries of a group follow each other. */
  readonly group: string;
  /** What it is about, in a word each. */
  readonly tags: readonly string[];
  readonly document: JsonObject;
}

type Listed = readonly [name: string, json: { readonly title: string; readonly summary: string }, tags: string];

function group(heading: string, listed: readonly Listed[]): readonly LibraryEntry[] {
  return listed.map(([name, json, tags]) => ({
    name,
    title: json.title,
    summary: json.summary,
    group: heading,
    tags: tags.split(' '),
    document: json as unknown as JsonObject,
  }));
}

/** In the order in which the page offers them; the first is what a visitor sees. */
export const LIBRARY: readonly LibraryEntry[] = [
  ...group('The two stories', [
    ['bmalloc-hang', bmallocHang, 'rt spin-lock hang'],
    ['bmalloc-slow-path', bmallocSlowPath, 'spin-lock back-off'],
    ['pi-reweight', piReweight, 'pi fair weight'],
    ['rt-yield-freeze', rtYieldFreeze, 'rt spin-lock hang'],
    ['yield-storm', yieldStorm, 'rt yield starvation'],
    ['pi-no-weight', piNoWeight, 'pi fair weight'],
    ['stuck-boost', stuckBoost, 'pi fair weight'],
  ]),
  ...group('Priority inversion', [
    ['pathfinder', pathfinder, 'rt pi inversion'],
    ['priority-inversion', priorityInversion, 'rt pi inversion'],
    ['priority-ceiling', priorityCeiling, 'rt ceiling'],
    ['pi-chain', piChain, 'rt pi chain'],
    ['nested-pi', nestedPi, 'rt pi'],
    ['pi-release', piRelease, 'rt pi'],
  ]),
  ...group('Locks', [
    ['lock-convoy', lockConvoy, 'futex convoy'],
    ['abba-deadlock', abbaDeadlock, 'futex pi deadlock'],
    ['adaptive-mutex', adaptiveMutex, 'futex spin'],
    ['thundering-herd', thunderingHerd, 'condition wake-up'],
    ['reader-starvation', readerStarvation, 'rwlock starvation'],
    ['ping-pong', pingPong, 'semaphore wake-up cost'],
  ]),
  ...group('Sharing a CPU', [
    ['nice-shares', niceShares, 'fair weight'],
    ['eevdf-slice', eevdfSlice, 'fair slice'],
    ['timer-slack', timerSlack, 'sleep timer'],
    ['migration', migration, 'fair smp'],
  ]),
  ...group('Real-time, deadline and quota', [
    ['rt-throttling', rtThrottling, 'rt throttling'],
    ['rt-throttle-sharing', rtThrottleSharing, 'rt throttling smp'],
    ['deadline-admission', deadlineAdmission, 'deadline admission'],
    ['cpu-quota', cpuQuota, 'group quota'],
    ['quota-freeze', quotaFreeze, 'group quota smp'],
    ['quota-threads', quotaThreads, 'group quota smp'],
  ]),
];

/** The library's document of that name; undefined when there is none. */
export function libraryDocument(name: string): JsonObject | undefined {
  return LIBRARY.find((known) => known.name === name)?.document;
}
