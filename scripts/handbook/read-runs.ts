import type { MarkedToken, Token } from 'marked';
import { fonts, toPrintable, type FontName } from './styles.ts';

/** A stretch of text of one look. */
export interface Run {
  readonly text: string;
  readonly font: FontName;
  readonly link: string | null;
}

interface Look {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly link: string | null;
}

export const plainLook: Look = { bold: false, italic: false, link: null };

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

const fontOf = ({ bold, italic }: Look): FontName => {
  if (bold) return italic ? fonts.boldItalic : fonts.bold;
  return italic ? fonts.italic : fonts.regular;
};

const runOf = (text: string, font: FontName, look: Look): Run => ({
  text: toPrintable(unescaped(text)).replace(/\s+/g, ' '),
  font,
  link: look.link,
});

const runsOfToken = (token: MarkedToken, look: Look): readonly Run[] => {
  switch (token.type) {
    case 'strong':
      return readRuns(token.tokens, { ...look, bold: true });
    case 'em':
      return readRuns(token.tokens, { ...look, italic: true });
    case 'link':
      return readRuns(token.tokens, { ...look, link: /^https?:/.test(token.href) ? token.href : null });
    case 'codespan':
      return [runOf(token.text, fonts.code, look)];
    case 'br':
      return [runOf(' ', fontOf(look), look)];
    case 'text':
      return token.tokens === undefined ? [runOf(token.text, fontOf(look), look)] : readRuns(token.tokens, look);
    case 'paragraph':
      return readRuns(token.tokens, look);
    case 'escape':
      return [runOf(token.text, fontOf(look), look)];
    default:
      throw new Error(`the handbook has inline markup of type ${token.type}, which is not rendered`);
  }
};

/** The runs of inline markup. @throws Error for markup or characters that can't be shown. */
export const readRuns = (tokens: readonly Token[], look: Look = plainLook): readonly Run[] =>
  // Without extensions the lexer gives no tokens but its own.
  tokens.flatMap((token) => runsOfToken(token as MarkedToken, look));

/** The words of inline markup. */
export const plainText = (tokens: readonly Token[]): string =>
  readRuns(tokens)
    .map(({ text }) => text)
    .join('');
