const charsets = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const;
const sampleBytes = 4_096;
const minSigns = 4;
const minScore = 0.45;

const signs = /[\p{Script=Han}\p{Script=Hiragana}\u30A1-\u30FF\p{Script=Hangul}]/gu;

/** Most frequent syllables of Korean, which no dictionary of the segmenter holds. */
const syllables: ReadonlySet<string> = new Set(
  '이다는의에을를가고서한하로지기도사자아니나시대리어인해일있부정과수그제전것주여라조원장구적공상스비보소안만우유무중오성동면거러들개국김박최은년월진영연학교생산업경영관문화행위치신재발생방법선물요금천울부항구선박명미민현실입출용품단가격합계번호내세청북남서동',
);

/** Share of the signs of a text that are part of words: in the dictionary of Chinese and Japanese, or in Korean. */
const scoreOf = (text: string, words: Intl.Segmenter): number => {
  let all = 0;
  let known = 0;
  for (const { segment } of words.segment(text)) {
    const found = segment.match(signs) ?? [];
    all += found.length;
    const korean = found.filter((sign) => /\p{Script=Hangul}/u.test(sign));
    known += korean.filter((sign) => syllables.has(sign)).length;
    if (found.length - korean.length > 1) known += found.length - korean.length;
  }
  const others = text.match(
    /[^\p{ASCII}\s\p{P}\p{S}\p{N}\p{Script=Han}\p{Script=Hiragana}\u30A1-\u30FF\p{Script=Hangul}]/gu,
  );
  return all < minSigns ? 0 : known / (all + (others?.length ?? 0));
};

/**
 * Guesses the charset of a Chinese, Japanese or Korean text, which may be a list of a few words: the one in which most
 * signs form words. Null if the text is more likely in a single-byte charset.
 */
export const guessEastAsian = (bytes: Uint8Array): string | null => {
  const words = new Intl.Segmenter('ja', { granularity: 'word' });
  const [best] = charsets
    .flatMap((charset) => {
      try {
        // The sample may end within a character.
        const text = new TextDecoder(charset, { fatal: true }).decode(bytes.subarray(0, sampleBytes), { stream: true });
        return [{ charset, score: scoreOf(text, words) }];
      } catch {
        return [];
      }
    })
    .toSorted((one, other) => other.score - one.score);
  return best !== undefined && best.score >= minScore ? best.charset : null;
};
