import ts from 'typescript';

/** Prose of a file as Markdown. `lines[n]` is the line of the file for line `n` of the Markdown, both from zero. */
export interface Prose {
  readonly markdown: string;
  readonly lines: readonly number[];
}

interface Text {
  readonly start: number;
  readonly isLineComment: boolean;
  readonly lines: readonly string[];
}

const comment = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const directive = /^\s*(?:oxlint-|oxfmt-|@ts-|#region|#__PURE__|\/ <reference)/;
const testFunctions: ReadonlySet<string> = new Set(['test', 'it', 'describe', 'suite']);
/** A message has at least three words. Identifiers, paths and media types have fewer. */
const message = /^[\p{L}`"“'{$].*?[\p{L}`)] +[\p{L}`{$][^\s]* +[\p{L}`{$(]/u;

const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node);

const isTestTitle = (node: ts.Node): boolean => {
  const call: ts.Node | undefined = node.parent;
  return (
    call !== undefined && ts.isCallExpression(call) && testFunctions.has(call.expression.getText().split('.')[0] ?? '')
  );
};

/** Whether a string is divided into words, as in `'a b c'.split(' ')`. */
const isWordList = ({ parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent)
    ? isWordList(parent)
    : ts.isPropertyAccessExpression(parent) && parent.name.text === 'split';

/** Text of a string or template, with a number in place of each expression; null for other nodes. */
const textOf = (node: ts.Node): string | null => {
  if (ts.isStringLiteralLike(node)) return isWordList(node) ? null : node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.templateSpans.reduce((text, { literal }) => `${text}0${literal.text}`, node.head.text);
};

/** Lines of a comment without its marks. */
const commentLines = (text: string): readonly string[] =>
  text
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').replace(/\{@link ([^}]*)\}/g, '`$1`'));

/** Messages of a file and the ranges of all its literals. Of a test file, only titles of tests are messages. */
const findMessages = (tree: ts.SourceFile): { readonly messages: Text[]; readonly literals: ts.TextRange[] } => {
  const isTest = /^(?:packages\/[\w-]+\/)?test\//.test(tree.fileName);
  const messages: Text[] = [];
  const literals: ts.TextRange[] = [];
  const visit = (node: ts.Node): void => {
    const start = node.getStart(tree);
    if (isLiteral(node)) literals.push({ pos: start, end: node.end });
    const text = isTest && !isTestTitle(node) ? null : textOf(node);
    if (text !== null && message.test(text)) messages.push({ start, isLineComment: false, lines: text.split('\n') });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { messages, literals };
};

/** Comments of a file. Between two literals, each comment mark begins a comment. */
const findComments = (source: string, literals: readonly ts.TextRange[]): readonly Text[] => {
  const comments: Text[] = [];
  let from = 0;
  for (const { pos, end } of [...literals, { pos: source.length, end: source.length }]) {
    for (const { 0: text, index } of source.slice(from, pos).matchAll(comment)) {
      const lines = commentLines(text);
      if (!directive.test(lines[0] ?? ''))
        comments.push({ start: from + index, isLineComment: text.startsWith('//'), lines });
    }
    from = Math.max(from, end);
  }
  return comments;
};

const tag = /^@\w+\s*/;
/** An option in the usage text of a command begins a paragraph. */
const option = /^ {2,}\S/;
/** A heading or list mark would hide a sentence from the rules for paragraphs. */
const blockMark = /^(?:#|\d+\. )/;

/** Extracts the comments and messages of a TypeScript or JavaScript file, each as a paragraph. */
export const extractProse = (file: string, source: string): Prose => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const { messages, literals } = findMessages(tree);
  const texts = [...messages, ...findComments(source, literals)].toSorted((a, b) => a.start - b.start);
  const markdown: string[] = [];
  const lines: number[] = [];
  const add = (text: string, line: number): void => {
    markdown.push(text);
    lines.push(line);
  };
  let lastLine = -2;
  for (const { start, isLineComment, lines: textLines } of texts) {
    const { line: first } = tree.getLineAndCharacterOfPosition(start);
    // Line comments that follow each other are one paragraph.
    if (!isLineComment || first !== lastLine + 1) add('', first);
    for (const [offset, text] of textLines.entries()) {
      if (tag.test(text) || option.test(text)) add('', first + offset);
      add(text.replace(tag, '').trim().replace(blockMark, ''), first + offset);
    }
    lastLine = first + textLines.length - 1;
  }
  return { markdown: markdown.join('\n'), lines };
};
