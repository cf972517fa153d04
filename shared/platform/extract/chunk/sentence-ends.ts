const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

// A line end within a paragraph is layout, unless the next line is an item of a list or a row of a table.
const softLineEnd = /\n(?!\s*(?:[-*•–|]|\d{1,3}[.)])\s|[^\n]{0,400} \| )/g;

const paragraphEnds = (text: string): readonly number[] => [
  ...[...text.matchAll(/\n\s*\n/g)].map((match) => match.index + match[0].length),
  text.length,
];

/** A position in a text behind a sentence and the space that follows it. */
export interface SentenceEnd {
  readonly at: number;
  readonly endsParagraph: boolean;
}

/** Where the sentences of a text end, in order; the last is the text's end. */
export const sentenceEnds = function* (text: string): Generator<SentenceEnd> {
  let start = 0;
  for (const end of paragraphEnds(text)) {
    for (const { index, segment } of sentences.segment(text.slice(start, end).replace(softLineEnd, ' '))) {
      const at = start + index + segment.length;
      yield { at, endsParagraph: at === end };
    }
    start = end;
  }
};
