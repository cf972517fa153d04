import type { IndexRef } from './port.ts';

/** The version of `layers[0]` since which no row of it has changed: a commit after the last maintenance makes it the newest. */
export const unchangedSince = ({ unchanged, layers: [{ version }] }: Pick<IndexRef, 'unchanged' | 'layers'>): number =>
  unchanged?.to === version ? unchanged.from : version;
