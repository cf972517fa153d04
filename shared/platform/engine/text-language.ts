/** Languages that the text index can stem or segment. `none` takes every word unchanged. */
export const textLanguages = [
  'arabic',
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

/**
 * Versions of the rules by which texts and queries are divided into words. An index keeps that of its creation.
 * `v2` adds the parts of identifiers and joined spellings, and indexes stop words.
 */
export const analyzers = ['v1', 'v2'] as const;

export type Analyzer = (typeof analyzers)[number];

/** Analyzer of indexes that were created before analyzers had versions. */
export const firstAnalyzer: Analyzer = 'v1';

/** Analyzer of new indexes. */
export const currentAnalyzer: Analyzer = 'v2';

/** Rules by which the texts of an index are divided into words. */
export interface TextRules {
  readonly language: TextLanguage;
  readonly analyzer: Analyzer;
}

/** Returns the text rules of an index. */
export const rulesOf = ({
  textLanguage = defaultTextLanguage,
  analyzer = firstAnalyzer,
}: {
  readonly textLanguage?: TextLanguage;
  readonly analyzer?: Analyzer;
}): TextRules => ({ language: textLanguage, analyzer });
