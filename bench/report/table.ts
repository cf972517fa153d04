/** A Markdown table; the first column is text, the others are numbers. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** Formats milliseconds with the significant digits. */
export const ms = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 1));

/** A rate or a count. */
export const whole = (value: number | undefined): string =>
  value === undefined ? '' : Math.round(value).toLocaleString('en-US');

/** Formats the ratio of two numbers. */
export const ratio = (one: number | undefined, other: number | undefined): string =>
  one === undefined || other === undefined ? 'not measured' : `${(one / other).toFixed(2)}×`;

/** A share of at most 1. */
export const share = (value: number): string => value.toFixed(3);
