// Share of letters and digits among printed characters. Noise of a recognition is mostly punctuation.
const minLetterShare = 0.55;

/** Whether a recognised text of a scan is text, and not noise of punctuation. */
export const makesSense = (text: string): boolean => {
  const printed = text.replaceAll(/\s/gu, '');
  const letters = printed.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '').length;
  return letters >= printed.length * minLetterShare;
};
