import type { EngineFeature } from '../engine-name.ts';

/** Error of a request that needs a feature which this engine lacks, or a filter with more values than it compares. */
export class Unsupported extends Error {
  readonly feature: EngineFeature | 'large_filters';

  constructor(feature: EngineFeature | 'large_filters', message: string) {
    super(message);
    this.name = 'Unsupported';
    this.feature = feature;
  }
}

export const noBranches = async (): Promise<never> => {
  throw new Unsupported('branches', 'The engine s3_vectors has no branches');
};
