import { oneLine } from '../../../../../shared/kernel/text.ts';
import { superscript } from '../text/superscript.ts';
import { wordBreak } from './page-draft.ts';

/** Collects the text of an embedded element from the tags and texts within it. Tag names are in upper case. */
export interface EmbeddedText {
  readonly open: (name: string) => void;
  readonly text: (text: string) => void;
  readonly close: () => void;
  /** Returns the text that is read in place of the element. */
  readonly render: () => string;
}

/** Element of a formula (MathML). */
interface MathNode {
  readonly name: string;
  readonly children: MathNode[];
  text: string;
}

const maxNodes = 20_000;
const maxDepth = 200;

/** One number, word or group in brackets, which needs no further brackets. */
const isToken = (text: string): boolean => /^(?:[\p{L}\p{N}.,∞]+|\([^()]*\))$/u.test(text);

const group = (text: string): string => (isToken(text) ? text : `(${text})`);

const relations = /^[=≠<>≤≥≈≡∼≃≅∝→←↔⇒⇐⇔∈∉⊂⊆∪∩]$|^(?:<=|>=|:=)$/u;

const operator = (text: string): string => {
  if (/^[\u2061-\u2064]$/u.test(text)) return text === '\u2064' ? ' ' : '';
  return relations.test(text) ? ` ${text} ` : text;
};

/** Joins parts of a formula. Two numbers that follow each other must not become one. */
const join = (parts: readonly string[]): string =>
  parts.reduce((before, part) => (/\d$/.test(before) && /^\d/.test(part) ? `${before} ${part}` : before + part), '');

const render = (node: MathNode | undefined): string => {
  if (node === undefined) return '';
  const { name, children } = node;
  const [first, second, third] = children;
  const all = (): string => join(children.map(render));
  switch (name) {
    case 'MI':
    case 'MN':
    case 'MTEXT':
    case 'MS':
      return children.length > 0 ? all() : oneLine(node.text);
    case 'MO':
      return operator(oneLine(node.text));
    case 'MSPACE':
      return ' ';
    case 'MPHANTOM':
    case 'ANNOTATION':
    case 'ANNOTATION-XML':
      return '';
    case 'SEMANTICS':
    case 'MACTION':
      return render(first);
    case 'MFRAC':
      return `${group(render(first))}/${group(render(second))}`;
    case 'MSUP':
      return group(render(first)) + superscript(render(second));
    case 'MSUB':
    case 'MUNDER':
      return `${render(first)}_${group(render(second))}`;
    case 'MSUBSUP':
    case 'MUNDEROVER':
      return `${render(first)}_${group(render(second))}${superscript(render(third))}`;
    case 'MOVER':
      return /^[\p{L}\p{N}]+$/u.test(render(second)) ? render(first) + superscript(render(second)) : render(first);
    case 'MSQRT':
      return `√${group(all())}`;
    case 'MROOT':
      return `${group(render(first))}^(1/${render(second)})`;
    case 'MFENCED':
      return `(${children.map(render).join(', ')})`;
    case 'MTABLE':
      return `[${children.map(render).join('; ')}]`;
    case 'MTR':
    case 'MLABELEDTR':
      return children.map(render).join(', ');
    default:
      return children.length > 0 ? all() : oneLine(node.text);
  }
};

/**
 * Collects a formula from the tags and texts within `<math>`, and writes it in one line: `(a+b)/2`, `x^2`, `√(x+1)`. The
 * same formula in another notation (annotation) is left out.
 */
export const openMath = (): EmbeddedText => {
  const root: MathNode = { name: 'MROW', children: [], text: '' };
  const stack = [root];
  let nodes = 0;
  return {
    open: (name: string): void => {
      const node: MathNode = { name, children: [], text: '' };
      nodes += 1;
      // Elements beyond the bounds are left out.
      if (nodes <= maxNodes && stack.length < maxDepth) stack.at(-1)?.children.push(node);
      stack.push(node);
    },
    text: (text: string): void => {
      const node = stack.at(-1);
      if (node !== undefined) node.text += text;
    },
    close: (): void => {
      stack.pop();
    },
    render: (): string => wordBreak + oneLine(render(root)) + wordBreak,
  };
};
