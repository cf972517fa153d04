import type { TextlintRuleModule } from '@textlint/kernel';

const shownLength = 60;
const codeSpan = /`[^`]*`/g;
/** A colon or semicolon ends a sentence like a full stop. */
const sentence = /\S[\s\S]*?(?:[.!?:;]["'”’)*_]*(?=\s)|$)/g;

/** A code span is one word. */
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Returns a rule of textlint that reports sentences of more than `max` words. */
export const maxWords =
  (max: number): TextlintRuleModule =>
  ({ Syntax, RuleError, getSource, report }) => ({
    [Syntax.Paragraph](paragraph) {
      const source = getSource(paragraph);
      const text = source.replace(codeSpan, (code) => 'x'.repeat(code.length));
      for (const { 0: found, index } of text.matchAll(sentence)) {
        const words = wordsOf(found);
        if (words <= max) continue;
        const shown = source
          .slice(index, index + shownLength)
          .replaceAll('\n', ' ')
          .trim();
        report(paragraph, new RuleError(`The sentence "${shown}…" has ${words} words, the limit is ${max}`, { index }));
      }
    },
  });
