import type { VersionedRow } from '../changes/index-content.ts';
import { storedTexts } from '../lance/stored-texts.ts';
import { analysisOf, type TextAnalysis } from '../lance/text-analysis.ts';
import { metadataTokens } from '../metadata-tokens.ts';
import type { IndexRef } from '../port.ts';
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
    const { text, common } = storedTexts(row, rules);
    return {
      row,
      terms: text === null ? none : termsOf(text, analysis),
      common: common === null ? none : termsOf(common, complete),
      filter: toTokens(row.metadata),
    };
  });
};
