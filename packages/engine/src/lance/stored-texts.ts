import { searchedHeadings } from '../../../../shared/kernel/row-metadata.ts';
import type { Row } from '../port.ts';
import { ownPartOf, searchedText } from '../searched-text.ts';
import type { TextRules } from '../text-language.ts';
import { analysisOf, commonWordsOf } from './text-analysis.ts';

/** Texts of a row: the searchable form, the original if it differs, and the stop words. */
interface StoredTexts {
  readonly text: string | null;
  readonly written: string | null;
  readonly common: string | null;
}

/** Returns the texts that are stored for a row. Only rows of files have headings that are searched. */
export const storedTexts = (
  { text, jobId, metadata }: Pick<Row, 'text' | 'jobId' | 'metadata'>,
  rules: TextRules,
): StoredTexts => {
  if (text === null) return { text, written: null, common: null };
  const headings = jobId === null ? [] : searchedHeadings(metadata, text);
  // The engine makes texts well-formed too. The same form has to result from its copy.
  const written = text.toWellFormed();
  const searched = searchedText(
    written,
    headings.map((heading) => heading.toWellFormed()),
    rules,
  );
  const own = ownPartOf(searched);
  return {
    text: searched,
    written: own === written ? null : written,
    common: commonWordsOf(analysisOf(rules), own).join(' '),
  };
};

/** Returns the original of a stored text. */
export const writtenText = ({ text, written }: Pick<StoredTexts, 'text' | 'written'>): string | null =>
  written ?? (text === null ? null : ownPartOf(text));
