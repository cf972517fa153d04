/** Address to which a page leads by itself, as it is written, and the seconds until then. */
export interface Refresh {
  readonly seconds: number;
  readonly href: string;
}

/**
 * Reads the content of `<meta http-equiv="refresh">` or of a `Refresh` header, `0; url=/docs`. Null for what names no
 * address. Source: HTML, "Refresh state".
 */
export const readRefresh = (content: string): Refresh | null => {
  const [, seconds, rest] = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,]\s*url\s*=(.*)$/is.exec(content) ?? [];
  if (rest === undefined) return null;
  const href = rest.trim();
  return { seconds: Number(seconds), href: /^(["'])(.*?)(?:\1|$)/s.exec(href)?.[2]?.trim() ?? href };
};
