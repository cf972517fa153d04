/** Languages whose models are installed, as Tesseract names them. */
export const ocrLanguages = ['eng', 'deu', 'fra', 'spa', 'ita'] as const;

export type OcrLanguage = (typeof ocrLanguages)[number];

/** Frequent words that at most two of the languages share. */
const frequentWords: Readonly<Record<OcrLanguage, ReadonlySet<string>>> = {
  eng: new Set('the of and to is was for that with on by from are were this be which not have has'.split(' ')),
  deu: new Set('der die das und ist nicht ein eine für mit auf den dem von zu im sich auch werden wird bei'.split(' ')),
  fra: new Set('le les des et est une du dans pour que qui pas sur au par avec ce il sont plus aux cette'.split(' ')),
  spa: new Set('el los las y es una del por que para con no se su al como más este fue pero'.split(' ')),
  ita: new Set('il lo gli di che è una per non della con sono del si dei alla nel più anche i e'.split(' ')),
};

/** Frequent words that a text must have, and how many more than the next language. */
const clear = { words: 3, lead: 1.5 } as const;

/** Returns the number of frequent words of any of the languages in a text. */
export const countFrequentWords = (text: string): number =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) =>
    ocrLanguages.some((language) => word.length > 1 && frequentWords[language].has(word)),
  ).length;

/** Detects the language of a text by its frequent words; English if it is not clear. */
export const detectLanguage = (text: string): OcrLanguage => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = ocrLanguages.map((language) => ({
    language,
    count: words.reduce((sum, word) => sum + (frequentWords[language].has(word) ? 1 : 0), 0),
  }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  if (first === undefined || first.count < clear.words) return 'eng';
  return first.count >= (second?.count ?? 0) * clear.lead ? first.language : 'eng';
};
