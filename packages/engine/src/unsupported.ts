import type { EngineFeature } from './engines.ts';

/** Error of a request that needs a feature which its engine lacks, or a filter with more values than it compares. */
export class Unsupported extends Error {
  readonly feature: EngineFeature | 'large_filters';

  constructor(feature: EngineFeature | 'large_filters', message: string) {
    super(message);
    this.name = 'Unsupported';
    this.feature = feature;
  }
}
