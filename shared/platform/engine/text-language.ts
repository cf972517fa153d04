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

/** Returns the language of an index. */
export const languageOf = ({ textLanguage }: { readonly textLanguage?: TextLanguage | undefined }): TextLanguage =>
  textLanguage ?? defaultTextLanguage;
