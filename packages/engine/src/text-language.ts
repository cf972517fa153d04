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

/** Rules by which the texts of an index are divided into words. */
export interface TextRules {
  readonly language: TextLanguage;
}

/** Returns the text rules of an index. */
export const rulesOf = ({
  textLanguage = defaultTextLanguage,
}: {
  readonly textLanguage?: TextLanguage;
}): TextRules => ({
  language: textLanguage,
});
