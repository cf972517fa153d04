/** Target of a refresh, as written, and its delay in seconds. */
export interface Refresh {
  readonly seconds: number;
  readonly href: string;
}

/**
 * Parses the content of `<meta http-equiv="refresh">` or of a `Refresh` header, `0; url=/docs`. Null if it names no
 * address.
 * Source: HTML, "Refresh state".
 */
export const readRefresh = (content: string): Refresh | null => {
  const [, seconds, rest] = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,]\s*url\s*=(.*)$/is.exec(content) ?? [];
  if (rest === undefined) return null;
  const href = rest.trim();
  return { seconds: Number(seconds), href: /^(["'])(.*?)(?:\1|$)/s.exec(href)?.[2]?.trim() ?? href };
};
