import type { RequestWeight } from '../kernel/plans.ts';

/** Returns the weight of a summary of metadata, which reads every row like an exact search. */
export const summaryWeight = (): RequestWeight => ({ rate: 5, inFlight: 5 });
