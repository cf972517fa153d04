import type { IndexRef } from './port.ts';

/**
 * Returns the version of `layers[0]` since which none of its rows has changed. A commit after the last maintenance
 * makes it the newest version.
 */
export const unchangedSince = ({ unchanged, layers: [{ version }] }: Pick<IndexRef, 'unchanged' | 'layers'>): number =>
  unchanged?.to === version ? unchanged.from : version;
