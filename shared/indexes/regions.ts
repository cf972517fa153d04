import { capability } from '../kernel/capability.ts';

/** The regions of this deployment. */
export interface Regions {
  /** At least one, the default first. */
  readonly all: readonly string[];
}

export const regionsRead = capability<Regions>([], ({ config }) => ({ all: config.regions }));
