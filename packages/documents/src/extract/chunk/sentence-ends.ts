const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

// A line end within a paragraph is layout, unless the next line is a list item or a table row.
const softLineEnd = /\n(?!\s*(?:[-*•–|]|\d{1,3}[.)])\s|[^\n]{0,400} \| )/g;

// The period after the number of an item or heading ends no sentence. A number alone in a line is a row.
const bareNumber = /^\s*\d{1,3}[.)][^\S\n]*$/;

// A citation belongs to the sentence before it. Closing brackets of the same length keep it there.
const citation = /\[(?:\d{1,4}(?:[,–-]\s?\d{1,4})*|[a-z]|(?:note|nb)\s?\d{1,3})\]/gi;

// Words whose period ends no sentence, before a name, a number or an example.
const abbreviation =
  /(?:^|[\s([{"'„“«])(?:mr|mrs|ms|dr|prof|st|sr|jr|messrs|hon|rev|gen|col|capt|lt|sgt|fig|figs|no|nos|nr|vol|ch|sec|art|abs|eq|ref|refs|pp|p|ed|eds|cf|vs|viz|ca|approx|resp|dept|est|bzw|vgl|usw|evtl|ggf|inkl|abb|tab|bd|hrsg|str|tel|e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a|et al|mme|mlle|sra?|dott)\.\s*$/i;

// Longest abbreviation with the spaces after it.
const maxAbbreviation = 16;

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
    const paragraph = text
      .slice(start, end)
      .replace(softLineEnd, ' ')
      .replace(citation, (mark) => ')'.repeat(mark.length));
    for (const { index, segment } of sentences.segment(paragraph)) {
      const at = start + index + segment.length;
      const beginsLine = index === 0 || paragraph.charAt(index - 1) === '\n';
      if (beginsLine && at < end && bareNumber.test(segment)) continue;
      if (at < end && abbreviation.test(segment.slice(-maxAbbreviation))) continue;
      yield { at, endsParagraph: at === end };
    }
    start = end;
  }
};
