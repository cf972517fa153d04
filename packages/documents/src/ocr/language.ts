/** Languages in Latin letters whose models are installed, as Tesseract names them. */
export const ocrLanguages = ['eng', 'deu', 'fra', 'spa', 'ita'] as const;

export type OcrLanguage = (typeof ocrLanguages)[number];

/** Models of other scripts, as Tesseract names them. */
const scriptModels = ['rus', 'ukr', 'ell', 'ara', 'hin', 'chi_sim', 'chi_tra', 'jpn', 'kor'] as const;

/** All installed models. */
export const ocrModelNames = [...ocrLanguages, ...scriptModels] as const;

export type OcrModelName = (typeof ocrModelNames)[number];

/** Models for a text: a word counts as the first one reads it, unless that is doubtful. */
export type OcrModels = readonly OcrModelName[];

/** Returns the models for Latin letters, that of a language first. */
export const latinModels = (first: OcrLanguage): OcrModels => [
  first,
  ...ocrLanguages.filter((other) => other !== first),
];

/** Models for a script, as Tesseract's detection names it: likely choices, and others that are tried if none reads well. */
const modelsByScript: Readonly<Record<string, readonly (readonly OcrModels[])[]>> = {
  Arabic: [[['ara']]],
  Cyrillic: [[['rus', 'ukr']]],
  Devanagari: [[['hin']]],
  Greek: [[['ell']]],
  Han: [
    [['chi_sim'], ['chi_tra']],
    [['jpn'], ['kor']],
  ],
  Japanese: [[['jpn']], [['chi_sim'], ['chi_tra'], ['kor']]],
  Korean: [[['kor']], [['chi_sim'], ['chi_tra'], ['jpn']]],
};

/** Other names of these scripts in the detection. */
const sameScripts: Readonly<Record<string, string>> = { Hangul: 'Korean', Hiragana: 'Japanese', Katakana: 'Japanese' };

/** Returns the choices of models for a script, the likely ones first; none if the script is not read. */
export const modelsOfScript = (script: string): readonly (readonly OcrModels[])[] =>
  modelsByScript[sameScripts[script] ?? script] ?? [];

/** Choices for a page whose script is not known, such as one of few words. */
export const modelsOfAnyScript: readonly (readonly OcrModels[])[] = [
  Object.values(modelsByScript).flatMap(([likely = []]) => likely),
];

/** Scripts of Latin letters, as Tesseract's detection names them. */
export const latinScripts: ReadonlySet<string> = new Set(['Latin', 'Fraktur', 'Common', 'NULL']);

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
