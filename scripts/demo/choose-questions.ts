import type { SourceFile, VectorRecord } from '#client';

/** Fields of a row that the demo reads. */
export interface StoredRow extends Pick<VectorRecord, 'id' | 'text' | 'metadata'> {
  readonly file: Pick<SourceFile, 'filename' | 'page_start' | 'page_end'> | null;
}

/** A question and, where it was taken from the file, the row that it comes from. */
export interface Question {
  readonly text: string;
  /** Where the question comes from, if from the file; else empty. */
  readonly origin: string;
  readonly rowId: string | null;
}

/** Questions about the handbook. */
const handbookQuestions = [
  'How do I verify the signature of a webhook?',
  'How do I rotate the secret of a webhook endpoint?',
  'How long is a session token good for?',
];

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const [minWords, maxWords] = [7, 28];

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whole sentences of a text that can stand alone. */
export const sentencesOf = (text: string): readonly string[] =>
  [...sentences.segment(tidy(text))]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => {
      const words = sentence.split(' ').length;
      return words >= minWords && words <= maxWords && /^\p{Lu}.*[.?!]$/u.test(sentence);
    });

/** `page 3`, `pages 3–4`, or the nearest heading; empty where neither is known. */
export const placeOf = ({ file, metadata = {} }: Pick<StoredRow, 'file'> & Partial<StoredRow>): string => {
  const { page_start: first = null, page_end: last = null } = file ?? {};
  if (first !== null && last !== null) return first === last ? `page ${first}` : `pages ${first}–${last}`;
  const { heading_path: headings } = metadata;
  return Array.isArray(headings) ? String(headings.at(-1) ?? '') : '';
};

const derived = (row: StoredRow): Question => {
  const text = tidy(row.text ?? '');
  const [sentence = text.split(' ').slice(0, maxWords).join(' ')] = sentencesOf(text);
  const place = placeOf(row);
  return { text: sentence, origin: place === '' ? 'taken from the file' : `taken from ${place}`, rowId: row.id };
};

/**
 * Returns the questions of the user, else those about the handbook, else three sentences of the file, from its beginning,
 * middle and end. The demo can check whether a search finds such a sentence.
 */
export const chooseQuestions = (options: {
  readonly own: readonly string[];
  readonly isHandbook: boolean;
  readonly rows: readonly StoredRow[];
}): readonly Question[] => {
  if (options.own.length > 0) return options.own.map((text) => ({ text, origin: '', rowId: null }));
  if (options.isHandbook) return handbookQuestions.map((text) => ({ text, origin: '', rowId: null }));
  const rows = options.rows.filter(({ text }) => sentencesOf(text ?? '').length > 0);
  const usable = rows.length > 0 ? rows : options.rows.filter(({ text }) => tidy(text ?? '') !== '');
  const places = [1, 3, 5].map((sixth) => Math.floor((usable.length * sixth) / 6));
  return [...new Set(places)].flatMap((at) => {
    const row = usable[at];
    return row === undefined ? [] : [derived(row)];
  });
};
