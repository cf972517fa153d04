import { oneLine } from '../../../../../shared/kernel/text.ts';
import { attributeOf, childOf, childrenOf, textIn, type XmlElement } from '../parse-xml.ts';
import { markFigure, superscript } from '../text/superscript.ts';

const simple = /^(?:\d+(?:[.,]\d+)*|\p{L}+)$/u;
const enclosed = /^\([^()]*\)$/;

const grouped = (text: string): string => (simple.test(text) || enclosed.test(text) ? text : `(${text})`);

const isOff = (element: XmlElement | undefined): boolean => /^(?:0|off|false)$/.test(attributeOf(element, 'val') ?? '');

/** Text of the argument of an element, such as its base or its numerator. */
const argument = (element: XmlElement, name: string): string => oneLine(mathText(childOf(element, name)));

const argumentsOf = (element: XmlElement): readonly string[] =>
  childrenOf(element, 'e').map((child) => oneLine(mathText(child)));

const property = (element: XmlElement, name: string): XmlElement | undefined =>
  childOf(
    childrenOf(element).find((child) => child.name.endsWith('Pr')),
    name,
  );

/** The base of a power or an index: a sum is put in parentheses. */
const base = (element: XmlElement): string => {
  const text = argument(element, 'e');
  return /[-+−±=/ ]/.test(text) ? grouped(text) : text;
};

const subscript = (text: string): string => (text === '' ? '' : `_${grouped(text)}`);

/** An index follows a letter directly, as in H2O. */
const index = (before: string, text: string): string =>
  /\p{L}$/u.test(before) && simple.test(text) ? text : subscript(text);

const fraction = (element: XmlElement): string => {
  const [top, bottom] = [argument(element, 'num'), argument(element, 'den')];
  const isChoice = attributeOf(property(element, 'type'), 'val') === 'noBar';
  return isChoice ? `(${top} over ${bottom})` : `${grouped(top)}/${grouped(bottom)}`;
};

const root = (element: XmlElement): string => {
  const degree = argument(element, 'deg');
  const radicand = argument(element, 'e');
  return degree === '' || degree === '2' ? `√(${radicand})` : `(${radicand})^(1/${grouped(degree)})`;
};

const delimited = (element: XmlElement): string => {
  const sign = (name: string, usual: string): string => attributeOf(property(element, name), 'val') ?? usual;
  const inner = argumentsOf(element).join(sign('sepChr', '|'));
  const [begin, end] = [sign('begChr', '('), sign('endChr', ')')];
  // A fraction without a bar has its parentheses already.
  return begin === '(' && end === ')' && / over /.test(inner) && enclosed.test(inner) ? inner : begin + inner + end;
};

const operatorOf = (element: XmlElement): string => {
  const operator = attributeOf(property(element, 'chr'), 'val') ?? '∫';
  return `${operator}${subscript(argument(element, 'sub'))}${superscript(argument(element, 'sup'))} ${argument(element, 'e')}`;
};

const matrix = (element: XmlElement): string =>
  `[${childrenOf(element, 'mr')
    .map((row) => argumentsOf(row).join(', '))
    .join('; ')}]`;

const withIndex = (element: XmlElement): string => {
  const text = base(element);
  return text + index(text, argument(element, 'sub')) + superscript(argument(element, 'sup'));
};

const writers: Readonly<Record<string, (element: XmlElement) => string>> = {
  d: delimited,
  eqArr: (element) => argumentsOf(element).join('; '),
  f: fraction,
  func: (element) => `${argument(element, 'fName')} ${argument(element, 'e')}`,
  limLow: (element) => `${argument(element, 'e')}${subscript(argument(element, 'lim'))}`,
  limUpp: (element) => `${argument(element, 'e')}${superscript(argument(element, 'lim'))}`,
  m: matrix,
  nary: operatorOf,
  phant: (element) => (isOff(property(element, 'show')) ? '' : argument(element, 'e')),
  rad: root,
  sPre: (element) => `${superscript(argument(element, 'sup'))}${subscript(argument(element, 'sub'))} ${base(element)}`,
  sSub: withIndex,
  sSubSup: withIndex,
  sSup: withIndex,
  t: textIn,
};

/** Content of an Office equation in one line: `3/8`, `x^2`, `√(a+b)`, `∑_(i=1)^n i`. */
export const mathText = (equation: XmlElement | undefined): string =>
  childrenOf(equation)
    .map((child) => {
      if (child.name.endsWith('Pr') || child.name === 'del' || child.name === 'moveFrom') return '';
      const write = writers[child.name];
      if (write === undefined) return mathText(child);
      return child.name === 't' ? write(child) : markFigure(write(child));
    })
    .join('');
