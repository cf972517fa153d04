/** Collects pieces of text; `text()` returns them in one line, with single spaces between words. */
export interface Words {
  readonly add: (piece: string) => void;
  readonly text: () => string;
}

/** Most characters that are squeezed at once. */
export const squeezedAtOnce = 64 * 1024;

/** Squeezes the text as it comes: of ten million pieces of one character, a list alone takes hundreds of megabytes. */
export const collectWords = (): Words => {
  const squeezed: string[] = [];
  let pending = '';
  let endsInSpace = true;
  const squeeze = (): void => {
    for (let at = 0; at < pending.length; at += squeezedAtOnce) {
      const spaced = pending.slice(at, at + squeezedAtOnce).replace(/\s+/g, ' ');
      const part = endsInSpace && spaced.startsWith(' ') ? spaced.slice(1) : spaced;
      if (part === '') continue;
      squeezed.push(part);
      endsInSpace = part.endsWith(' ');
    }
    pending = '';
  };
  return {
    add: (piece) => {
      pending += ` ${piece}`;
      if (pending.length >= squeezedAtOnce) squeeze();
    },
    text: () => {
      squeeze();
      return squeezed.join('').trim();
    },
  };
};
