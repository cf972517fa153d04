import { join } from 'node:path';

/** What is deployed: read once, passed down; no construct looks at context or environment. */
export interface Deployment {
  /** First part of every physical name. */
  readonly name: string;
  /** Where indexes may live; the first is home to tables, API and events. */
  readonly regions: readonly [string, ...string[]];
  /** Event bus of the home region that gets every event; null for none. The bus is the user's own. */
  readonly eventBus: string | null;
  /** Directory of `functions/<id>/` and `layers/<asset>/`, as the bundler leaves it. */
  readonly codeDirectory: string;
}

/** Where `scripts/bundle.ts` leaves its output. */
const defaultCodeDirectory = join(import.meta.dirname, '..', 'dist');

/** The region of tables, API and events. */
export const homeRegion = (deployment: Deployment): string => deployment.regions[0];

// A bucket name is at most 63 characters: the deployment, `-content-`, twelve digits, `-` and the longest region name.
const namePattern = /^[a-z][a-z0-9-]{0,24}[a-z0-9]$/;
/** What names of parameters or buckets may not begin with. */
const reservedPattern = /^(aws|ssm|xn--|sthree-|amzn-s3-demo-)/;
const regionPattern = /^[a-z]{2}(-[a-z]+)+-\d$/;
/** Addresses and names of other partitions differ. */
const otherPartitionPattern = /^(cn|us-gov|us-iso[a-z]*|eusc|eu-isoe)-/;
/** Each region adds to the permissions of the functions at home, whose policies have a largest size. */
export const mostRegions = 12;

const busPattern = /^[\w./-]{1,256}$/;

const readEventBus = (value: unknown): string | null => {
  if (value === undefined || value === '') return null;
  if (typeof value === 'string' && busPattern.test(value)) return value;
  throw new Error(`eventBus ${JSON.stringify(value)} must be the name of an event bus: letters, digits and ._-/`);
};

const listed = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return String(value)
    .split(',')
    .map((part) => part.trim());
};

/**
 * Checks what a user configured.
 * @param options `name`: 2 to 26 characters of `a-z0-9-`, default `strata`; `regions`: list or comma-separated, default
 * `us-east-1`; `eventBus`: name of an EventBridge bus of the first region, default none; `codeDirectory`: default `dist`.
 * @throws Error with one sentence that says what to change.
 */
export const readDeployment = (options: {
  readonly name?: unknown;
  readonly regions?: unknown;
  readonly eventBus?: unknown;
  readonly codeDirectory?: string | undefined;
}): Deployment => {
  const name = typeof options.name === 'string' ? options.name : 'strata';
  if (!namePattern.test(name)) {
    throw new Error(
      `deployment "${name}" must be 2 to 26 lower-case letters, digits or hyphens and begin with a letter`,
    );
  }
  if (reservedPattern.test(name)) throw new Error(`deployment "${name}" begins with a name that AWS keeps for itself`);
  const [home, ...others] = listed(options.regions ?? 'us-east-1');
  const regions = [home ?? '', ...others] as const;
  for (const region of regions) {
    if (!regionPattern.test(region)) throw new Error(`"${region}" in regions is not the name of an AWS region`);
    if (otherPartitionPattern.test(region))
      throw new Error(`"${region}" in regions is of a partition that is not supported`);
  }
  if (regions.length > mostRegions)
    throw new Error(`regions names ${regions.length} regions, ${mostRegions} are possible`);
  if (new Set(regions).size < regions.length) throw new Error(`regions names a region twice: ${regions.join(', ')}`);
  return {
    name,
    regions,
    eventBus: readEventBus(options.eventBus),
    codeDirectory: options.codeDirectory ?? defaultCodeDirectory,
  };
};
