// Words with a fixed meaning in settings and links, and what toggles and params may be called.

/** Settings that every scenario answers to, in the order in which results and links list them. */
export const MACHINE_SETTINGS = ['kernel', 'cpus', 'hz', 'throttling', 'fairserver', 'costs', 'seed'] as const;
export type MachineSetting = (typeof MACHINE_SETTINGS)[number];

/** Settings that can't change while a simulation runs. */
export const FROZEN_SETTINGS: readonly string[] = ['kernel', 'cpus', 'hz', 'seed'];

/** Toggles whose meaning is fixed wherever they occur. */
export const FIXED_TOGGLES = ['rt', 'reweight', 'backoff'] as const;

/** Keys of the link that are about the page, not the scenario. */
export const LINK_KEYS = [
  'do',
  'at',
  't',
  'a',
  'b',
  'sel',
  'vs',
  'notes',
  'prediction',
  'play',
  'present',
  'embed',
  'step',
  'reveal',
  'e',
] as const;

const RESERVED: ReadonlySet<string> = new Set<string>([...MACHINE_SETTINGS, ...LINK_KEYS, 'z']);

export function isReservedId(id: string): boolean {
  return RESERVED.has(id);
}

/** Ids stand in links and on command lines: letters, digits, "_" and "-", at most 32. */
export function isId(id: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(id);
}

export function isMachineSetting(id: string): id is MachineSetting {
  return (MACHINE_SETTINGS as readonly string[]).includes(id);
}
