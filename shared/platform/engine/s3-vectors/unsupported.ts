/** Feature that the engine `s3_vectors` lacks. */
export type UnsupportedFeature =
  | 'branches'
  | 'conditional_writes'
  | 'exact_search'
  | 'large_filters'
  | 'large_rows'
  | 'text_ranges';

/** Error of a request that needs a feature which this engine lacks. */
export class Unsupported extends Error {
  readonly feature: UnsupportedFeature;

  constructor(feature: UnsupportedFeature, message: string) {
    super(message);
    this.name = 'Unsupported';
    this.feature = feature;
  }
}
