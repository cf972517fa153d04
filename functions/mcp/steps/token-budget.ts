import * as z from 'zod';

/** Bytes of UTF-8 per token, a usual average of the tokenizers of language models. */
const bytesPerToken = 4;

/** Schema of the limit of a response in tokens. */
export const maxTokensOf = (byDefault: number) =>
  z
    .int()
    .min(200)
    .max(20_000)
    .default(byDefault)
    .describe('About how many tokens the texts of the response may have. Longer texts are cut.');

export const bytesOfTokens = (tokens: number): number => tokens * bytesPerToken;

/** Returns the first bytes of a text, without half a character at the end. */
export const cutText = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const whole = Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${whole}…`;
};

/** Cuts texts to a common limit. Each has an equal share of what the texts before it have left. */
export const cutTexts = (texts: readonly string[], maxBytes: number): readonly string[] => {
  let left = maxBytes;
  return texts.map((text, at) => {
    const cut = cutText(text, Math.floor(left / (texts.length - at)));
    left = Math.max(0, left - Buffer.byteLength(cut));
    return cut;
  });
};
