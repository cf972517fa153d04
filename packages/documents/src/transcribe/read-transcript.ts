import * as z from 'zod';
import type { Utterance } from './port.ts';

/** https://docs.aws.amazon.com/transcribe/latest/dg/how-input.html#how-output */
const Transcript = z.object({
  results: z.object({
    language_code: z.string().optional(),
    items: z.array(
      z.object({
        type: z.enum(['pronunciation', 'punctuation']),
        start_time: z.coerce.number().optional(),
        end_time: z.coerce.number().optional(),
        alternatives: z.array(z.object({ content: z.string() })).min(1),
      }),
    ),
  }),
});

/** An utterance ends at the end of a sentence after this length, and in any case after twice that. */
const enoughChars = 500;
const enoughSeconds = 45;
const sentenceEnd = /[.!?。！？]$/u;
const unspaced = /^(zh|ja|th)\b/;

const isLongEnough = ({ text, startSeconds, endSeconds }: Utterance): boolean => {
  const enough = Math.max(text.length / enoughChars, (endSeconds - startSeconds) / enoughSeconds);
  return enough >= 2 || (enough >= 1 && sentenceEnd.test(text));
};

/** Reads a file of Amazon Transcribe as utterances of a few sentences each. */
export const readTranscript = (json: unknown): readonly Utterance[] => {
  const { items, language_code: language = '' } = Transcript.parse(json).results;
  const space = unspaced.test(language) ? '' : ' ';
  const spoken: Utterance[] = [];
  for (const { type, start_time: start, end_time: end, alternatives } of items) {
    const content = alternatives[0]?.content ?? '';
    const last = spoken.at(-1);
    if (last === undefined || (type === 'pronunciation' && isLongEnough(last))) {
      if (type === 'pronunciation')
        spoken.push({ text: content, startSeconds: start ?? 0, endSeconds: end ?? start ?? 0 });
    } else {
      const text = `${last.text}${type === 'pronunciation' ? space : ''}${content}`;
      spoken[spoken.length - 1] = { ...last, text, endSeconds: end ?? last.endSeconds };
    }
  }
  return spoken;
};
