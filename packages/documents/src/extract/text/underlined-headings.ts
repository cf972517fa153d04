const rule = /^([=\-~^"'`#*+.:_<>])\1{2,}$/;
const maxTitleChars = 150;
const minShare = 0.6;

/** Heading of a plain text, and the number of lines that it takes. */
export interface UnderlinedHeading {
  readonly title: string;
  readonly level: number;
  readonly lines: number;
}

/**
 * Finds headings with a line of `=`, `-` or another sign below them, or above and below. The signs have levels in the
 * order in which a text uses them first.
 */
export const openUnderlines = (): ((lines: readonly string[]) => UnderlinedHeading | null) => {
  const styles: string[] = [];
  const levelOf = (style: string): number => {
    if (!styles.includes(style)) styles.push(style);
    return Math.min(6, styles.indexOf(style) + 1);
  };
  return (lines) => {
    const [first = '', second = '', third = ''] = lines;
    const isOver = rule.test(first.trim());
    const [title, under] = isOver ? [second.trim(), third.trim()] : [first.trim(), second.trim()];
    const sign = rule.exec(under)?.[1];
    if (sign === undefined || title.length > maxTitleChars || !/\p{L}/u.test(title) || rule.test(title)) return null;
    if (under.length < title.length * minShare || (isOver && first.trim() !== under)) return null;
    return { title, level: levelOf(isOver ? sign + sign : sign), lines: isOver ? 3 : 2 };
  };
};
