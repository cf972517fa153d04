const letterOrDigit = /[\p{L}\p{N}]/u;
const asciiEnd = 0x80;
const isAlphanumeric = Array.from({ length: asciiEnd }, (_, code) => letterOrDigit.test(String.fromCodePoint(code)));

const maxKnown = 10_000;
const known = new Map<string, readonly string[]>();

/** Letters and digits of a character without accents and typographic forms: those of `ﬁ` are `f` and `i`. */
const lettersOf = (character: string): readonly string[] => {
  const found = known.get(character);
  if (found !== undefined) return found;
  const letters = Array.from(character.normalize('NFKD')).filter((one) => letterOrDigit.test(one));
  if (known.size < maxKnown) known.set(character, letters);
  return letters;
};

/** Number of each letter and digit of texts. */
export class LetterCount {
  readonly #ascii = new Int32Array(asciiEnd);
  readonly #others = new Map<string, number>();

  add(text: string, times = 1): this {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code < asciiEnd) {
        if (isAlphanumeric[code] === true) this.#ascii[code] = (this.#ascii[code] ?? 0) + times;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(at) ?? code);
      at += character.length - 1;
      for (const letter of lettersOf(character)) this.#addLetter(letter, times);
    }
    return this;
  }

  /** Adds the letters of a page. Most have one code below 128. */
  addCharacters(characters: readonly { readonly text: string }[]): this {
    for (let at = 0; at < characters.length; at += 1) {
      const text = characters[at]?.text ?? '';
      const code = text.charCodeAt(0);
      if (text.length > 1 || code >= asciiEnd) this.add(text);
      else if (isAlphanumeric[code] === true) this.#ascii[code] = (this.#ascii[code] ?? 0) + 1;
    }
    return this;
  }

  #addLetter(letter: string, times: number): void {
    const code = letter.codePointAt(0) ?? 0;
    if (code < asciiEnd) this.#ascii[code] = (this.#ascii[code] ?? 0) + times;
    else this.#others.set(letter, (this.#others.get(letter) ?? 0) + times);
  }

  /** Number of letters and digits that another count lacks. */
  missingIn(other: LetterCount): number {
    let missing = 0;
    for (const [code, times] of this.#ascii.entries()) missing += Math.max(0, times - (other.#ascii[code] ?? 0));
    for (const [letter, times] of this.#others) missing += Math.max(0, times - (other.#others.get(letter) ?? 0));
    return missing;
  }
}
