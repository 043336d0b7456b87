// The scenario that a synthetic trace names: a machine without work, only to fill the place in `started`.

import type { Scenario } from '../scenario/scenario.ts';

export function syntheticScenario(): Scenario {
  return {
    title: 'synthetic segments',
    summary: '',
    source: '',
    durationNs: 0,
    seed: 1,
    machine: {
      cpus: 1,
      kernel: '6.1',
      hz: 250,
      firstTickNs: 0,
      rtThrottling: false,
      fairServer: false,
      piReweight: false,
      proxyExecution: false,
      autogroup: false,
      tunableScaling: 'none',
      tunables: {},
      features: {},
      costs: {
        contextSwitchNs: 0,
        wakeupNs: 0,
        wakeupIpiNs: 0,
        idleExitNs: 0,
        tickNs: 0,
        timerInterruptNs: 0,
        syscallNs: 0,
        migrationNs: 0,
      },
      interrupts: [],
    },
    groups: [],
    locks: [],
    threads: [],
    interventions: [],
    claims: [],
    toggles: [],
    params: [],
    settings: {},
    notes: [],
    view: { notes: [] },
  };
}
