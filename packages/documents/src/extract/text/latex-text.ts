import { latexSigns } from './latex-signs.ts';

// Commands without text. The number is that of the arguments that are left out with it.
const silent: ReadonlyMap<string, number> = new Map([
  ...(
    'maketitle tableofcontents listoffigures listoftables newpage clearpage cleardoublepage pagebreak noindent indent ' +
    'centering raggedright raggedleft bfseries itshape scshape sffamily ttfamily rmfamily mdseries upshape small tiny large ' +
    'Large LARGE huge Huge footnotesize scriptsize normalsize hline toprule midrule bottomrule hfill vfill appendix ' +
    'frontmatter mainmatter backmatter printbibliography bigskip medskip smallskip par protect relax left right displaystyle ' +
    'textstyle nonumber notag qedhere qed limits flushbottom raggedbottom'
  )
    .split(' ')
    .map((name) => [name, 0] as const),
  ...(
    'label ref cref Cref autoref eqref pageref vref cite citep citet citealp citealt citeauthor citeyear parencite textcite ' +
    'autocite footcite nocite bibliography bibliographystyle includegraphics input include usepackage pagestyle ' +
    'thispagestyle vspace hspace phantom vphantom hphantom index glsadd cline cmidrule addbibresource graphicspath hypersetup ' +
    'linespread selectlanguage theoremstyle hyphenation pagenumbering rowcolor columncolor color bibitem'
  )
    .split(' ')
    .map((name) => [name, 1] as const),
  ...(
    'setlength addtolength setcounter addtocounter newcommand renewcommand providecommand newtheorem definecolor ' +
    'DeclareMathOperator newenvironment renewenvironment addcontentsline titleformat rule def let'
  )
    .split(' ')
    .map((name) => [name, 2] as const),
]);

/** Commands whose first arguments are no text. */
const lastArgument: ReadonlyMap<string, number> = new Map([
  ['href', 1],
  ['textcolor', 1],
  ['colorbox', 1],
  ['parbox', 1],
  ['raisebox', 1],
  ['multirow', 2],
  ['multicolumn', 2],
  ['resizebox', 2],
  ['foreignlanguage', 1],
]);

const accents: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ["'", '\u0301'],
  ['^', '\u0302'],
  ['~', '\u0303'],
  ['"', '\u0308'],
  ['=', '\u0304'],
  ['.', '\u0307'],
  ['u', '\u0306'],
  ['v', '\u030C'],
  ['H', '\u030B'],
  ['r', '\u030A'],
  ['c', '\u0327'],
  ['k', '\u0328'],
  ['d', '\u0323'],
]);

// Without a bound, brackets that are never closed would take quadratic time.
const maxArgument = 50_000;
const maxOption = 500;

/** Reads characters of a text from a position on. */
export class LatexSource {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isEnd(): boolean {
    return this.at >= this.#text.length;
  }

  take(): string {
    const letter = this.#text.charAt(this.at);
    this.at += 1;
    return letter;
  }

  peek(): string {
    return this.#text.charAt(this.at);
  }

  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  /** Takes the text up to a string, and the string. */
  upTo(end: string): string {
    const found = this.#text.indexOf(end, this.at);
    const text = this.#text.slice(this.at, found === -1 ? undefined : found);
    this.at = found === -1 ? this.#text.length : found + end.length;
    return text;
  }

  /** Takes a balanced argument in brackets, with spaces before it; null if there is none. */
  argument(open: '{' | '['): string | null {
    const start = this.at;
    const [close, maxChars] = open === '{' ? ['}', maxArgument] : [']', maxOption];
    this.match(/\s*/y);
    const from = this.at + 1;
    let depth = 0;
    for (const end = Math.min(this.#text.length, from + maxChars); this.at < end; this.at += 1) {
      const letter = this.#text.charAt(this.at);
      if (letter === '\\') this.at += 1;
      else if (letter === open) depth += 1;
      else if (letter === close) depth -= 1;
      if (depth === 0) break;
    }
    const isFound = this.at >= from && this.#text.charAt(this.at) === close;
    this.at = isFound ? this.at + 1 : start;
    return isFound ? this.#text.slice(from, this.at - 1) : null;
  }
}

const maxDepth = 50;

/** Writes the text of a part of a document, in which commands are replaced by what they show. */
// oxlint-disable-next-line max-lines-per-function -- commands share the written text
export const plainLatex = (text: string, depth = 0): string => {
  if (depth > maxDepth) return text;
  const source = new LatexSource(text);
  const inner = (words: string | null): string => (words === null ? '' : plainLatex(words, depth + 1));
  let out = '';
  const accent = (mark: string): void => {
    const argument =
      source.argument('{') ??
      (source
        .match(/\s*\\[ij]\b\s*/y)?.[0]
        .trim()
        .slice(1) ||
        source.take());
    const letters = inner(argument);
    out += (letters.slice(0, 1) + mark).normalize('NFC') + letters.slice(1);
  };
  const command = (name: string): void => {
    const mark = accents.get(name);
    const sign = latexSigns.get(name);
    if (mark !== undefined && (name.length > 1 || !/[a-zA-Z]/.test(name) || /[{\s]/.test(source.peek()))) accent(mark);
    else if (sign !== undefined) {
      out += sign;
      // A space after a sign of a formula is shown, one after a letter only ends its name.
      source.match(/\{\}/y);
      if (/^\p{L}$/u.test(sign) && sign.charCodeAt(0) < 0x300) source.match(/ /y);
    } else if (silent.has(name)) {
      if (/^(?:auto|foot|paren|text)?cite|ref$/.test(name)) out = out.trimEnd();
      while (source.argument('[') !== null);
      for (let left = silent.get(name) ?? 0; left > 0; left -= 1)
        if (source.argument('{') === null) source.match(/\s*\\[a-zA-Z]+/y);
      if (/^(?:re)?new|^provide/.test(name)) while (source.argument('[') !== null || source.argument('{') !== null);
    } else if (name === 'footnote') out += ` (${inner(source.argument('{'))})`;
    else if (name === 'verb') out += source.upTo(source.take());
    else if (name === 'begin' || name === 'end') source.argument('{');
    else if (name === 'item') out += '- ';
    else if (name === 'frac' || name === 'dfrac' || name === 'tfrac')
      out += `${inner(source.argument('{'))}/${inner(source.argument('{'))}`;
    else {
      while (source.argument('[') !== null);
      const skipped = lastArgument.get(name) ?? 0;
      for (let left = skipped; left > 0; left -= 1) source.argument('{');
      const shown = source.argument('{');
      if (shown !== null) out += inner(shown);
      else source.match(/ /y);
    }
  };
  while (!source.isEnd()) {
    const letter = source.take();
    if (letter === '\\') {
      const name = source.match(/[a-zA-Z]+\*?/y)?.[0] ?? source.take();
      if (/^[a-zA-Z]/.test(name)) command(name.replace('*', ''));
      else if (name === '\\') {
        source.argument('[');
        out += '\n';
      } else if (accents.has(name)) command(name);
      else if (/[,;:! @/]/.test(name)) out += name === ' ' || name === ',' || name === ';' ? ' ' : '';
      else if (!/[()[\]-]/.test(name)) out += name;
    } else if (letter === '~') out += ' ';
    else if (letter === '$' || letter === '{' || letter === '}') continue;
    else out += letter;
  }
  return out
    .replace(/---/g, '—')
    .replace(/--/g, '–')
    .replace(/``|''/g, (quote) => (quote === '``' ? '“' : '”'))
    .replace(/[^\S\n]+/g, ' ');
};
