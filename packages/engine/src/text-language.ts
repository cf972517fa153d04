/**
 * Languages that the text index can stem or segment. `none` takes every word unchanged, and `auto` detects the language of
 * each text.
 */
export const textLanguages = [
  'arabic',
  'auto',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hungarian',
  'italian',
  'korean',
  'none',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
] as const;

export type TextLanguage = (typeof textLanguages)[number];

/** Language of an index that names none. */
export const defaultTextLanguage: TextLanguage = 'english';

/** Versions of the analysis of texts. An index keeps that of its creation. */
export const analyzers = ['v2', 'v3'] as const;
export type Analyzer = (typeof analyzers)[number];

/** Analysis of new indexes. */
export const currentAnalyzer: Analyzer = 'v3';

/** Rules by which the texts of an index are divided into words. */
export interface TextRules {
  readonly language: TextLanguage;
  /** Default: `v2`, which indexes of release 0.2.0 have. */
  readonly analyzer?: Analyzer | undefined;
}

/** Returns the text rules of an index. */
export const rulesOf = ({
  textLanguage = defaultTextLanguage,
  analyzer,
}: {
  readonly textLanguage?: TextLanguage;
  readonly analyzer?: Analyzer | undefined;
}): TextRules => ({
  language: textLanguage,
  analyzer,
});
