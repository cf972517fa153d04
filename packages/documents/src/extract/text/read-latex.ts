import { openBlocks } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { LatexSource, plainLatex } from './latex-text.ts';
import { MarkupBlocks } from './markup-blocks.ts';
import { expandSpans, type SpanningCell } from '../table.ts';

const sections = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph'];

/** Text without comments, except in code. A line that is only a comment has no line end either. */
const withoutComments = (text: string): string =>
  text.replace(
    /(\\begin\{(verbatim|lstlisting|minted|Verbatim|alltt)\*?\}[^]*?\\end\{\2\*?\}|\\[^])|^[^\S\n]*%[^\n]*\n|%[^\n]*/gm,
    (_, kept: string | undefined) => kept ?? '',
  );

const splitAt = (text: string, separator: RegExp): readonly string[] => {
  const parts: string[] = [];
  const source = new LatexSource(text);
  let open = '';
  while (!source.isEnd()) {
    const found = source.match(separator);
    if (found !== null) {
      parts.push(open);
      open = '';
      continue;
    }
    const group = source.peek() === '{' ? source.argument('{') : null;
    if (group !== null) open += `{${group}}`;
    else {
      const letter = source.take();
      open += letter === '\\' ? letter + source.take() : letter;
    }
  }
  return [...parts, open];
};

const cellOf = (text: string): SpanningCell => {
  const columns = /\\multicolumn\s*\{(\d+)\}/.exec(text)?.[1];
  const rows = /\\multirow\s*\{(\d+)\}/.exec(text)?.[1];
  return {
    text: plainLatex(text.replace(/\\(?:hline|toprule|midrule|bottomrule)\b/g, ''))
      .replace(/\s+/g, ' ')
      .trim(),
    ...(columns !== undefined && { columns: Number(columns) }),
    ...(rows !== undefined && { rows: Number(rows) }),
  };
};

/** Rows of a table. A cell that a merged one above covers is empty in the source. */
const readRows = (body: string): readonly (readonly string[])[] => {
  const open = new Map<number, number>();
  const rows = splitAt(body, /\\(?:\\|tabularnewline\b)\*?(?:\s*\[[^\]]*\])?/y)
    .map((row) => splitAt(row, /&/y).map(cellOf))
    .filter((row) => row.some(({ text }) => text !== ''));
  return expandSpans(
    rows.map((row) => {
      let column = 0;
      return row.filter((cell) => {
        const isCovered = (open.get(column) ?? 0) > 0 && cell.text === '';
        if (isCovered) open.set(column, (open.get(column) ?? 0) - 1);
        if ((cell.rows ?? 1) > 1) open.set(column, (cell.rows ?? 1) - 1);
        column += cell.columns ?? 1;
        return !isCovered;
      });
    }),
  );
};

const tables = /^(?:tabular[xy]?\*?|longtable|array|tabulary|supertabular)$/;
const verbatim = /^(?:verbatim|lstlisting|minted|Verbatim|alltt)$/;

/** Reads LaTeX: sections, tables, lists, code and notes. Commands are replaced by what they show. */
// oxlint-disable-next-line max-lines-per-function -- environments and lists share the open text
export const readLatex: FormatReader = async (_, { text: source }) => {
  const out = new MarkupBlocks();
  const bare = withoutComments(source);
  const start = bare.indexOf('\\begin{document}');
  const preamble = start === -1 ? '' : bare.slice(0, start);
  const body =
    start === -1 ? bare : (bare.slice(start + '\\begin{document}'.length).split('\\end{document}', 1)[0] ?? '');
  const argumentOf = (name: string): string => {
    const at = bare.search(new RegExp(String.raw`\\${name}\s*[[{]`));
    if (at === -1) return '';
    const found = new LatexSource(bare.slice(at + name.length + 1));
    found.argument('[');
    return plainLatex(found.argument('{') ?? '');
  };
  const outer = sections.findIndex((name) => new RegExp(String.raw`\\${name}\b`).test(body));
  out.heading(argumentOf('title'), 0);
  if (preamble !== '' || /\\author\b/.test(body))
    for (const name of ['author', 'date']) {
      for (const line of argumentOf(name).split('\n')) if (line.trim() !== '') out.line(line.trim());
    }
  out.end();
  const lists: { isNumbered: boolean; items: number }[] = [];
  const rest = new LatexSource(body);
  let words = '';
  const flush = (): void => {
    for (const paragraph of plainLatex(words).split(/\n\s*\n/)) {
      for (const line of paragraph.split('\n')) if (line.trim() !== '') out.line(line.trim());
      out.end();
    }
    words = '';
  };
  const environment = (name: string): void => {
    if (verbatim.test(name)) {
      flush();
      for (const line of rest
        .upTo(`\\end{${name}}`)
        .replace(/^\s*(?:\[[^\]]*\])?(?:\{[^}]*\})?\n/, '')
        .split('\n'))
        out.line(line);
      out.end();
    } else if (tables.test(name)) {
      flush();
      while (rest.argument('[') !== null);
      if (/[xy*]$/.test(name)) rest.argument('{');
      rest.argument('{');
      out.table({ rows: readRows(rest.upTo(`\\end{${name}}`)) });
    } else if (name === 'comment') rest.upTo('\\end{comment}');
    else if (/^(?:itemize|enumerate|description|thebibliography)$/.test(name)) {
      flush();
      rest.argument('[');
      if (name === 'thebibliography') rest.argument('{');
      lists.push({ isNumbered: name === 'enumerate', items: 0 });
    } else if (name === 'abstract') {
      flush();
      out.heading('Abstract', 1);
    } else {
      words += '\n\n';
      while (rest.argument('[') !== null);
      if (/^(?:minipage|multicols|subfigure|subtable|adjustbox|wrapfigure|spacing)$/.test(name)) rest.argument('{');
    }
  };
  const item = (): void => {
    const list = lists.at(-1);
    flushLine();
    const label = rest.argument('[');
    if (list !== undefined) list.items += 1;
    const mark = label !== null ? plainLatex(label) : list?.isNumbered === true ? `${list.items}.` : '-';
    words += `${mark} `;
  };
  /** Ends an item, which is one line of its list. */
  const flushLine = (): void => {
    const line = plainLatex(words).replace(/\s+/g, ' ').trim();
    if (line !== '') out.line(line);
    words = '';
  };
  while (!rest.isEnd()) {
    if (rest.match(/\n[^\S\n]*\n\s*/y) !== null) {
      if (lists.length === 0) flush();
      else words += ' ';
      continue;
    }
    const found = rest.match(
      /\\(begin|end|item|bibitem|caption|title|author|date|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\b\*?/y,
    );
    if (found === null) {
      const letter = rest.take();
      words += letter === '\\' ? letter + rest.take() : letter;
      continue;
    }
    const [, name = ''] = found;
    if (name === 'begin') environment(rest.argument('{') ?? '');
    else if (name === 'end') {
      const ended = rest.argument('{') ?? '';
      if (/^(?:itemize|enumerate|description|thebibliography)$/.test(ended)) {
        flushLine();
        out.end();
        lists.pop();
      } else words += '\n\n';
    } else if (name === 'item') item();
    else if (name === 'bibitem') {
      flushLine();
      rest.argument('[');
      rest.argument('{');
      words += '- ';
    } else {
      flush();
      rest.argument('[');
      const argument = rest.argument('{') ?? '';
      const level = sections.indexOf(name);
      if (level >= 0) out.heading(plainLatex(argument), level - outer + 1);
      else if (name === 'caption') {
        out.line(plainLatex(argument).replace(/\s+/g, ' ').trim());
        out.end();
      }
    }
  }
  flush();
  return openBlocks(out.blocks());
};
