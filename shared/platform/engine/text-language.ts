/** Languages whose words the text index knows how to stem or to cut; `none` takes every word as it stands. */
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

/** The language of an index that names none. */
export const defaultTextLanguage: TextLanguage = 'english';

/** The language of an index. */
export const languageOf = ({ textLanguage }: { readonly textLanguage?: TextLanguage | undefined }): TextLanguage =>
  textLanguage ?? defaultTextLanguage;
