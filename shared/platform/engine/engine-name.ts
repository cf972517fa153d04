/** Engines of an index, fixed at its creation. */
export const engineNames = ['lance', 's3_vectors'] as const;
export type EngineName = (typeof engineNames)[number];
export const defaultEngine: EngineName = 'lance';

/** Features of some engines. */
export const engineFeatures = [
  'branches',
  'conditional_writes',
  'exact_search',
  'phrases',
  'recall',
  'text_ranges',
] as const;
export type EngineFeature = (typeof engineFeatures)[number];

/** Features of each engine. */
export const featuresOf: Readonly<Record<EngineName, readonly EngineFeature[]>> = {
  lance: engineFeatures,
  s3_vectors: ['conditional_writes'],
};

export const hasFeature = (engine: EngineName, feature: EngineFeature): boolean => featuresOf[engine].includes(feature);
