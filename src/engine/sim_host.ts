// The host with the real parts: the scenario format, the simulation and the result of the product.

import { addRecords, createResultBuilder, finishResult } from '../analysis/build_result.ts';
import { claimsInForce, probesFor } from '../analysis/claims.ts';
import { resolve } from '../scenario/resolve.ts';
import { ENGINE_VERSION, SIM } from '../sim/api.ts';
import { createHost, type HostParts } from './host.ts';
import type { SimApi } from './protocol.ts';

/** What depends on the place where it runs. */
export type Place = Pick<HostParts, 'nowMs' | 'yieldTurn'> & Partial<Pick<HostParts, 'sizes' | 'limits'>>;

export function createSimHost(place: Place): SimApi {
  return createHost({
    sim: SIM,
    engine: ENGINE_VERSION,
    resolve: ({ document, settings, interventions }) => resolve(document, settings, interventions),
    planCount(request, scenario) {
      const claims = claimsInForce(request.document, scenario);
      return {
        probesNs: probesFor(claims),
        begin(meta) {
          const builder = createResultBuilder(scenario, meta, undefined, claims);
          return {
            add: (records) => addRecords(builder, records),
            finish: (facts) => finishResult(builder, facts),
          };
        },
      };
    },
    ...place,
  });
}
