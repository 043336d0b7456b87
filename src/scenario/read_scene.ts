// Reads the part of a patched document that an intervention may change: machine, locks, threads.

import { checkBarriers } from './check_barriers.ts';
import { checkConditions } from './check_conditions.ts';
import type { JsonObject } from './document.ts';
import { isObject, own } from './json_value.ts';
import { KERNELS } from './kernel_names.ts';
import type { ReadContext } from './read_context.ts';
import { readGroups } from './read_groups.ts';
import { readLocks } from './read_locks.ts';
import { DEFAULT_KERNEL, readMachine } from './read_machine.ts';
import type { AppliedSettings } from './read_settings.ts';
import { readThreads } from './read_threads.ts';
import type { KernelId, SceneSpec } from './scenario.ts';

export interface ReadScene {
  readonly scene: SceneSpec;
  readonly costsName: string;
}

/** @param written the document before settings: the kernel that its author had in mind */
export function readScene(ctx: ReadContext, applied: AppliedSettings, written: JsonObject): ReadScene {
  const inForce: ReadContext = { ...ctx, params: applied.params };
  const { body, threads } = applied.document;
  const writtenKernel = kernelOf(written);
  const locks = readLocks(inForce, own(body, 'locks'));
  const { machine, costsName } = readMachine(inForce, own(body, 'machine'), writtenKernel, locks.byName);
  const entries = [...threads.values()];
  const groups = readGroups(inForce, own(body, 'groups'), machine.autogroup ? entries.map(({ json }) => json) : []);
  const specs = readThreads({ ...inForce, machine, writtenKernel, rtOff: applied.rtOff, locks, groups }, entries);
  checkBarriers(ctx.problems, locks.specs, specs);
  checkConditions(ctx.problems, locks.specs, specs);
  return { costsName, scene: { machine, groups: groups.specs, locks: locks.specs, threads: specs } };
}

function kernelOf(document: JsonObject): KernelId {
  const machine = own(document, 'machine');
  const kernel = isObject(machine) ? own(machine, 'kernel') : undefined;
  return KERNELS.find((known) => known === kernel) ?? DEFAULT_KERNEL;
}
