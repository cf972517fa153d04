import { capability } from '../kernel/capability.ts';
import { ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { defaultEngine, type EngineName, engines } from '#engine';

/** Regions of this deployment. */
export interface Regions {
  /** At least one, the default first. */
  readonly all: readonly string[];
  /** Returns those with an engine. */
  readonly withEngine: (engine: EngineName) => readonly string[];
}

export const regionsRead = capability<Regions>([], ({ config }) => ({
  all: config.regions,
  withEngine: (engine) => engines[engine].regionsIn(config),
}));

/** Returns the region of an organization: its default region, else the first of the deployment. */
export const ownRegion = ({ all }: Regions, organization: { readonly defaultRegion: string | null } | null): string =>
  all.find((region) => region === organization?.defaultRegion) ?? all[0] ?? '';

/** Returns a problem if a field of a body names a region that is not deployed. */
export const regionProblems = (
  field: string,
  region: string | null | undefined,
  { all }: Regions,
): readonly ValidationProblem[] => {
  if (region == null || all.includes(region)) return [];
  const msg = `Input should be ${all.map((name) => `'${name}'`).join(' or ')}`;
  return [{ loc: ['body', field], msg, type: 'enum' }];
};

/** Throws 422 if a region does not have the engine that a new index chooses. */
export const requireEngineIn = (region: string, engine: EngineName, { withEngine }: Regions): void => {
  if (withEngine(engine).includes(region)) return;
  throw new ValidationFailure([
    { loc: ['body', 'engine'], msg: `Input should be '${defaultEngine}' in the region ${region}`, type: 'enum' },
  ]);
};
