import type { Config } from '../../../shared/kernel/config.ts';

/** Engines of an index, fixed at its creation. */
export const engineNames = ['lance', 's3_vectors'] as const;
export type EngineName = (typeof engineNames)[number];
export const defaultEngine: EngineName = 'lance';

/** Features of some engines. */
export const engineFeatures = [
  'branches',
  'conditional_writes',
  'exact_search',
  'ordered_lists',
  'phrases',
  'recall',
  'search_cursors',
  'text_ranges',
  'versions',
] as const;
export type EngineFeature = (typeof engineFeatures)[number];

/** Properties of an engine that hold for every index. */
export interface EngineProperties {
  readonly features: readonly EngineFeature[];
  /**
   * Whether rows are listed in order of id, so that a page may end at any row. If not, a page is as large as the engine
   * makes it, and ends at a token of the engine.
   */
  readonly listsById: boolean;
  /** Whether an index is full from some size. */
  readonly hasMaximumSize: boolean;
  /** Whether files contain removed content until the next maintenance. */
  readonly keepsRemovedContent: boolean;
  /** Returns the regions of a deployment that have the engine. */
  readonly regionsIn: (config: Pick<Config, 'regions' | 's3VectorsRegions'>) => readonly string[];
}

export const engines: Readonly<Record<EngineName, EngineProperties>> = {
  lance: {
    features: engineFeatures,
    listsById: true,
    hasMaximumSize: true,
    keepsRemovedContent: true,
    regionsIn: ({ regions }) => regions,
  },
  s3_vectors: {
    features: ['conditional_writes'],
    listsById: false,
    hasMaximumSize: false,
    keepsRemovedContent: false,
    regionsIn: ({ regions, s3VectorsRegions = regions }) => s3VectorsRegions,
  },
};

export const hasFeature = (engine: EngineName, feature: EngineFeature): boolean =>
  engines[engine].features.includes(feature);
