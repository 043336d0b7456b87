// An App on fakes, for tests.

import { LIBRARY } from '../../scenario/library/library.ts';
import { type App, createApp } from '../create_app.ts';
import { linkPort } from '../link_port.ts';
import {
  createFakeAddress,
  createFakeEngine,
  createFakeTime,
  type FakeAddress,
  type FakeEngine,
  type FakeTime,
} from './fakes.ts';

export interface TestApp extends App {
  /** Engine of the shown run. */
  readonly engine: FakeEngine;
  /** Engine of the runs aside. */
  readonly aside: FakeEngine;
  readonly address: FakeAddress;
  readonly time: FakeTime;
}

export function createTestApp(hash = ''): TestApp {
  const address = createFakeAddress(hash);
  const time = createFakeTime();
  const engine = createFakeEngine();
  const aside = createFakeEngine();
  // The run controller makes its engine first.
  const engines = [engine, aside];
  const app = createApp({
    createEngine: () => engines.shift() ?? createFakeEngine(),
    library: { entries: LIBRARY, defaultName: 'bmalloc-hang' },
    links: linkPort,
    address,
    time,
    storage: undefined,
    reducedMotion: () => false,
  });
  return { ...app, engine, aside, address, time };
}
