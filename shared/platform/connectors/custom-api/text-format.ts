import type { TextFormat } from './pages.ts';

/** File name ending and media type of each text format. */
export const textFiles: Readonly<Record<TextFormat, { readonly ending: string; readonly contentType: string }>> = {
  text: { ending: '.txt', contentType: 'text/plain' },
  html: { ending: '.html', contentType: 'text/html' },
  markdown: { ending: '.md', contentType: 'text/markdown' },
};

/** Elements whose end tag indicates HTML. */
const htmlEndTag =
  /<\/(?:a|article|b|blockquote|body|code|dd|div|dl|dt|em|h[1-6]|html|i|li|ol|p|pre|section|span|strong|table|td|th|tr|ul)\s*>/i;
const htmlStart = /^\s*<(?:!doctype\s+html|!--|[a-z][a-z0-9]*[\s/>])/i;

/** Patterns that are common in Markdown and rare in plain text. */
const markdownSigns: readonly RegExp[] = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /\*\*[^*\s][^*\n]*\*\*/,
  /^\|.*\|[ \t]*\n\|[ \t:|-]+\|[ \t]*$/m,
  /^ {0,3}(?:[-*+]|\d+\.) \S.*\n {0,3}(?:[-*+]|\d+\.) \S/m,
];
const minMarkdownSigns = 2;

/** Characters at the beginning of a text that are inspected. */
const maxInspectedLength = 20_000;

/** Detects the format of a text: HTML begins with a tag and closes one, Markdown shows two of its signs. */
export const detectTextFormat = (text: string): TextFormat => {
  const beginning = text.slice(0, maxInspectedLength);
  if (htmlStart.test(beginning) && htmlEndTag.test(beginning)) return 'html';
  return markdownSigns.filter((sign) => sign.test(beginning)).length >= minMarkdownSigns ? 'markdown' : 'text';
};
