const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

// A line end within a paragraph is layout, unless the next line is a list item or a table row.
const softLineEnd = /\n(?!\s*(?:[-*•–|]|\d{1,3}[.)])\s|[^\n]{0,400} \| )/g;

// The period after the number of an item or heading ends no sentence. A number alone in a line is a row.
const bareNumber = /^\s*\d{1,3}[.)][^\S\n]*$/;

const paragraphEnds = (text: string): readonly number[] => [
  ...[...text.matchAll(/\n\s*\n/g)].map((match) => match.index + match[0].length),
  text.length,
];

/** Position in a text after a sentence and the space that follows it. */
export interface SentenceEnd {
  readonly at: number;
  readonly endsParagraph: boolean;
}

/** Yields the ends of the sentences of a text, in order. The last is the text's end. */
export const sentenceEnds = function* (text: string): Generator<SentenceEnd> {
  let start = 0;
  for (const end of paragraphEnds(text)) {
    const paragraph = text.slice(start, end).replace(softLineEnd, ' ');
    for (const { index, segment } of sentences.segment(paragraph)) {
      const at = start + index + segment.length;
      const beginsLine = index === 0 || paragraph.charAt(index - 1) === '\n';
      if (beginsLine && at < end && bareNumber.test(segment)) continue;
      yield { at, endsParagraph: at === end };
    }
    start = end;
  }
};
