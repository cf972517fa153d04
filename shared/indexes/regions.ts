import { capability } from '../kernel/capability.ts';
import type { ValidationProblem } from '../kernel/errors.ts';

/** The regions of this deployment. */
export interface Regions {
  /** At least one, the default first. */
  readonly all: readonly string[];
}

export const regionsRead = capability<Regions>([], ({ config }) => ({ all: config.regions }));

/** The region of an organization: the one that it has chosen, else the first of the deployment. */
export const ownRegion = ({ all }: Regions, organization: { readonly defaultRegion: string | null } | null): string =>
  all.find((region) => region === organization?.defaultRegion) ?? all[0] ?? '';

/** A problem where a field of a body names a region that is not deployed. */
export const regionProblems = (
  field: string,
  region: string | null | undefined,
  { all }: Regions,
): readonly ValidationProblem[] => {
  if (region == null || all.includes(region)) return [];
  const msg = `Input should be ${all.map((name) => `'${name}'`).join(' or ')}`;
  return [{ loc: ['body', field], msg, type: 'enum' }];
};
