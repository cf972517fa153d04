import { hash } from 'node:crypto';
import * as z from 'zod';

const Share = z.number().min(0).max(1);

/** Shares of requests that are throttled, and whose response is lost after they took effect. */
export const VectorFault = z.object({ throttled: Share, lost: Share, seed: z.int() });
type VectorFault = z.infer<typeof VectorFault>;

/** Injected faults of the vector service. */
export interface VectorFaults {
  readonly begin: (fault: VectorFault) => void;
  /** Returns the fault of the next request. */
  readonly next: () => 'throttled' | 'lost' | null;
}

/** Starts without faults. The seed determines which requests of a sequence fail. */
export const openVectorFaults = (): VectorFaults => {
  let fault: VectorFault = { throttled: 0, lost: 0, seed: 0 };
  let requests = 0;
  return {
    begin: (next) => {
      fault = next;
      requests = 0;
    },
    next: () => {
      requests += 1;
      const chance = Number.parseInt(hash('sha256', `${fault.seed}/${requests}`).slice(0, 8), 16) / 2 ** 32;
      if (chance < fault.throttled) return 'throttled';
      return chance < fault.throttled + fault.lost ? 'lost' : null;
    },
  };
};
