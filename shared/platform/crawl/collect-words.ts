/** Collects pieces of text; `text()` returns them in one line, with single spaces between words. */
export interface Words {
  readonly add: (piece: string) => void;
  readonly text: () => string;
}

/** Characters whose whitespace is collapsed at once. */
export const collapsedAtOnce = 64 * 1024;

/**
 * Collapses whitespace while it collects: a list of ten million pieces of one character takes hundreds of megabytes.
 */
export const collectWords = (): Words => {
  const collapsed: string[] = [];
  let pending = '';
  let endsInSpace = true;
  const collapse = (): void => {
    for (let at = 0; at < pending.length; at += collapsedAtOnce) {
      const spaced = pending.slice(at, at + collapsedAtOnce).replace(/\s+/g, ' ');
      const part = endsInSpace && spaced.startsWith(' ') ? spaced.slice(1) : spaced;
      if (part === '') continue;
      collapsed.push(part);
      endsInSpace = part.endsWith(' ');
    }
    pending = '';
  };
  return {
    add: (piece) => {
      pending += ` ${piece}`;
      if (pending.length >= collapsedAtOnce) collapse();
    },
    text: () => {
      collapse();
      return collapsed.join('').trim();
    },
  };
};
