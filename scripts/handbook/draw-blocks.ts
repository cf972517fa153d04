import type { MarkedToken, Token, Tokens } from 'marked';
import { drawTable } from './draw-table.ts';
import { drawText, needRoom, roomLeft, beginPage, skip, type Flow } from './flow.ts';
import { layOutText } from './lay-out-text.ts';
import { readRuns, type Run } from './read-runs.ts';
import { colors, contentWidth, fonts, leading, page, sizes, toPrintable } from './styles.ts';

const listIndent = 16;
const codePad = 8;
/** A heading with less than this below it moves to the next page. */
const roomBelowHeading = 100;

const drawParagraph = (flow: Flow, runs: readonly Run[], indent: number, gap: number): void => {
  drawText(flow, layOutText(flow.pdf, runs, sizes.body, contentWidth - indent), page.marginX + indent);
  skip(flow, gap);
};

/** Long lines of code go on in the next line, indented, so that nothing is cut off at the margin. */
const codeLines = (flow: Flow, text: string): readonly string[] => {
  flow.pdf.font(fonts.code).fontSize(sizes.code);
  const most = Math.floor((contentWidth - 2 * codePad) / flow.pdf.widthOfString('0'));
  return text.split('\n').flatMap((line) => {
    const parts: string[] = [];
    let rest = line;
    while (rest.length > most) {
      const space = rest.lastIndexOf(' ', most);
      const cut = space > most / 2 ? space : most;
      parts.push(rest.slice(0, cut));
      rest = `    ${rest.slice(cut).trimStart()}`;
    }
    return [...parts, rest];
  });
};

const drawCode = (flow: Flow, { text }: Tokens.Code): void => {
  const lineHeight = sizes.code * leading;
  const lines = codeLines(flow, toPrintable(text));
  const whole = lines.length * lineHeight + 2 * codePad;
  if (roomLeft(flow) < Math.min(whole, 6 * lineHeight + 2 * codePad)) beginPage(flow);
  let next = 0;
  while (next < lines.length) {
    if (next > 0) beginPage(flow);
    const count = Math.min(lines.length - next, Math.floor((roomLeft(flow) - 2 * codePad) / lineHeight));
    const height = count * lineHeight + 2 * codePad;
    flow.pdf.roundedRect(page.marginX, flow.y, contentWidth, height, 3).fill(colors.codeFill);
    flow.pdf.font(fonts.code).fontSize(sizes.code).fillColor(colors.text);
    for (const [at, line] of lines.slice(next, next + count).entries()) {
      const y = flow.y + codePad + at * lineHeight + 1.5;
      // The font lacks nothing but a place for empty strings.
      if (line !== '') flow.pdf.text(line, page.marginX + codePad, y, { lineBreak: false });
    }
    flow.y += height;
    next += count;
  }
  skip(flow, 11);
};

const markOf = (list: Tokens.List, position: number): string =>
  list.ordered ? `${(list.start === '' ? 1 : list.start) + position}.` : '•';

const drawList = (flow: Flow, list: Tokens.List, indent: number): void => {
  for (const [position, item] of list.items.entries()) {
    needRoom(flow, 2 * sizes.body * leading);
    flow.pdf.font(fonts.regular).fontSize(sizes.body).fillColor(colors.quiet);
    const mark = markOf(list, position);
    const markX = page.marginX + indent + (list.ordered ? 0 : 4);
    flow.pdf.text(mark, markX, flow.y, { lineBreak: false });
    for (const token of item.tokens) drawItemPart(flow, token as MarkedToken, indent + listIndent);
    skip(flow, 2.5);
  }
  skip(flow, indent === 0 ? 6 : 0);
};

const drawItemPart = (flow: Flow, token: MarkedToken, indent: number): void => {
  if (token.type === 'list') drawList(flow, token, indent);
  else if (token.type === 'text' || token.type === 'paragraph') drawParagraph(flow, readRuns([token]), indent, 1);
  else if (token.type !== 'space') throw new Error(`a list of the handbook holds ${token.type}, which is not rendered`);
};

const drawQuote = (flow: Flow, { tokens }: Tokens.Blockquote): void => {
  const paragraphs = tokens.filter((token) => token.type !== 'space');
  for (const token of paragraphs) {
    const block = layOutText(flow.pdf, readRuns([token]), sizes.body, contentWidth - 2 * listIndent);
    needRoom(flow, block.height + 12);
    flow.pdf.rect(page.marginX, flow.y, 3, block.height + 8).fill(colors.accent);
    flow.y += 4;
    drawText(flow, block, page.marginX + listIndent);
    flow.y += 4;
  }
  skip(flow, 11);
};

const drawHeading = (flow: Flow, heading: Tokens.Heading): void => {
  const size = sizes.headings[heading.depth - 1] ?? sizes.body;
  const runs = readRuns(heading.tokens).map((run) => ({
    ...run,
    font: run.font === fonts.code ? run.font : fonts.bold,
  }));
  const block = layOutText(flow.pdf, runs, size, contentWidth);
  skip(flow, heading.depth === 2 ? 12 : 7);
  needRoom(flow, block.height + roomBelowHeading);
  drawText(flow, block, page.marginX, colors.accent);
  flow.y += heading.depth === 1 ? 12 : 3;
};

/** Draws one block of Markdown. @throws Error for what is not rendered, so that nothing goes missing unnoticed. */
export const drawBlock = (flow: Flow, token: Token): void => {
  // Without extensions the lexer gives no tokens but its own.
  const block = token as MarkedToken;
  switch (block.type) {
    case 'heading':
      return drawHeading(flow, block);
    case 'paragraph':
      return drawParagraph(flow, readRuns(block.tokens), 0, 7);
    case 'list':
      return drawList(flow, block, 0);
    case 'table':
      return drawTable(flow, block);
    case 'code':
      return drawCode(flow, block);
    case 'blockquote':
      return drawQuote(flow, block);
    case 'space':
      return undefined;
    default:
      throw new Error(`the handbook holds ${block.type}, which is not rendered`);
  }
};
