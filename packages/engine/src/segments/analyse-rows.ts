import { searchedHeadings } from '../../../../shared/kernel/row-metadata.ts';
import type { VersionedRow } from '../changes/index-content.ts';
import { analysisOf, commonWordsOf, type TextAnalysis } from '../lance/text-analysis.ts';
import { storedText } from '../lance/written-texts.ts';
import { metadataTokens } from '../metadata-tokens.ts';
import type { IndexRef } from '../port.ts';
import { ownPartOf } from '../searched-text.ts';
import { rulesOf } from '../text-language.ts';
import { tokenize } from '../tokenizer.ts';
import type { AnalysedRow, TermPositions } from './segment-builder.ts';

/** Returns the terms of a text with their positions. */
export const termsOf = (text: string, analysis: TextAnalysis): TermPositions => {
  const terms = new Map<string, number[]>();
  for (const { text: term, position } of tokenize(text, analysis)) {
    const known = terms.get(term);
    if (known === undefined) terms.set(term, [position]);
    else known.push(position);
  }
  return terms;
};

const none: TermPositions = new Map();

/** Analyses rows: the terms of their texts, and the tokens of their metadata. */
export const analyseRows = (rows: readonly VersionedRow[], ref: IndexRef): readonly AnalysedRow[] => {
  const rules = rulesOf(ref);
  const analysis = analysisOf(rules);
  const complete = { ...analysis, removeStopWords: false };
  const toTokens = metadataTokens(ref);
  return rows.map((row) => {
    const headings = row.jobId === null ? [] : searchedHeadings(row.metadata, row.text ?? '');
    const { text } = storedText(row.text, headings, rules);
    const common = text === null ? '' : commonWordsOf(analysis, ownPartOf(text)).join(' ');
    return {
      row,
      terms: text === null ? none : termsOf(text, analysis),
      common: common === '' ? none : termsOf(common, complete),
      filter: toTokens(row.metadata),
    };
  });
};
