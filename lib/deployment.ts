import { join } from 'node:path';
import type { ListedModel, RerankerChoice } from '../shared/kernel/config.ts';
import { readModelList } from '../shared/platform/models/model-list.ts';
import { readReranker } from '../shared/platform/rerank/reranker-choice.ts';
import { hasService } from './region-services.ts';

/** Configuration of a deployment. It is read once and passed down; no construct reads context or environment. */
export interface Deployment {
  /** First part of every physical name. */
  readonly name: string;
  /** Regions of indexes. The first is home to tables, API and events. */
  readonly regions: readonly [string, ...string[]];
  /** Those of `regions` that have Amazon S3 Vectors, and with it the engine `s3_vectors`. */
  readonly s3VectorsRegions: readonly string[];
  /** Event bus of the user, in the home region, that gets every event; null for none. */
  readonly eventBus: string | null;
  /** Embedding models that indexes may choose, besides the default and the embedded one. */
  readonly embeddingModels: readonly ListedModel[];
  /** Reranker of searches, besides the embedded ones. */
  readonly reranker: RerankerChoice;
  /** Output directory of the bundler, with `functions/<id>/` and `layers/<asset>/`. */
  readonly codeDirectory: string;
}

/** Output directory of `scripts/bundle.ts`. */
const defaultCodeDirectory = join(import.meta.dirname, '..', 'dist');

/** The region of tables, API and events. */
export const homeRegion = (deployment: Deployment): string => deployment.regions[0];

// A bucket name is at most 63 characters: the deployment, `-content-`, twelve digits, `-` and the longest region name.
const namePattern = /^[a-z][a-z0-9-]{0,24}[a-z0-9]$/;
/** Prefixes that names of parameters or buckets may not have. */
const reservedPattern = /^(aws|ssm|xn--|sthree-|amzn-s3-demo-)/;
const regionPattern = /^[a-z]{2}(-[a-z]+)+-\d$/;
/** Regions of other partitions, whose addresses and names differ. */
const otherPartitionPattern = /^(cn|us-gov|us-iso[a-z]*|eusc|eu-isoe)-/;
/** Maximum of regions. Each adds to the permissions of the home functions, whose policies are limited in size. */
export const maxRegions = 11;

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

const readS3VectorsRegions = (value: unknown, regions: readonly string[]): readonly string[] => {
  if (value === undefined) return regions.filter((region) => hasService(region, 's3Vectors'));
  const chosen = listed(value).filter((region) => region !== '');
  const unknown = chosen.find((region) => !regions.includes(region));
  if (unknown !== undefined) throw new Error(`"${unknown}" in s3VectorsRegions is not one of regions`);
  return regions.filter((region) => chosen.includes(region));
};

/**
 * Checks the configuration of a user.
 * @param options `name`: 2 to 26 characters of `a-z0-9-`, default `strata`; `regions`: list or comma-separated, default
 * `us-east-1`; `s3VectorsRegions`: those of `regions` that have Amazon S3 Vectors, list or comma-separated, default those
 * that AWS lists; `eventBus`: name of an EventBridge bus of the first region, default none; `embeddingModels`: list, or its
 * JSON, default none; `reranker`: object, or its JSON, default the embedded ones; `codeDirectory`: default `dist`.
 * @throws Error with one sentence that states what to change.
 */
export const readDeployment = (options: {
  readonly name?: unknown;
  readonly regions?: unknown;
  readonly s3VectorsRegions?: unknown;
  readonly eventBus?: unknown;
  readonly embeddingModels?: unknown;
  readonly reranker?: unknown;
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
  if (regions.length > maxRegions)
    throw new Error(`regions names ${regions.length} regions, ${maxRegions} are possible`);
  if (new Set(regions).size < regions.length) throw new Error(`regions names a region twice: ${regions.join(', ')}`);
  return {
    name,
    regions,
    s3VectorsRegions: readS3VectorsRegions(options.s3VectorsRegions, regions),
    eventBus: readEventBus(options.eventBus),
    embeddingModels: readModelList(options.embeddingModels),
    reranker: readReranker(options.reranker),
    codeDirectory: options.codeDirectory ?? defaultCodeDirectory,
  };
};
