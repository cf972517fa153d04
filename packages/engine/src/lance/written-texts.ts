import { ownPartOf, searchedText } from '../searched-text.ts';
import type { TextRules } from '../text-language.ts';

/** The two text columns: the searchable form and, if it differs, the original. */
interface StoredText {
  readonly text: string | null;
  readonly written: string | null;
}

/** Returns both columns of a text under headings. */
export const storedText = (text: string | null, headings: readonly string[], rules: TextRules): StoredText => {
  if (text === null) return { text, written: null };
  // The engine makes texts well-formed too. The same form has to result from its copy.
  const written = text.toWellFormed();
  const searched = searchedText(
    written,
    headings.map((heading) => heading.toWellFormed()),
    rules,
  );
  return { text: searched, written: ownPartOf(searched) === written ? null : written };
};

/** Returns the original of a stored text. */
export const writtenText = ({ text, written }: StoredText): string | null =>
  written ?? (text === null ? null : ownPartOf(text));
