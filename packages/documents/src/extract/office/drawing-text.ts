import { firstDayOf, numberFormat } from './number-formats.ts';
import type { OfficePackage } from './open-package.ts';
import { mathText } from './math-text.ts';
import { attributeOf, childOf, childrenOf, findAll, textIn, type XmlElement } from '../parse-xml.ts';
import { markFigure, markRaised, renderRaised } from '../text/superscript.ts';

/** Text of the charts and diagrams of a part, by relation id. */
export type Drawings = ReadonlyMap<string, string>;

const wordsOf = (texts: readonly XmlElement[]): string =>
  texts.flatMap(({ children }) => children.filter((child) => typeof child === 'string')).join('');

const runText = (run: XmlElement): string => {
  const text = wordsOf(childrenOf(run, 't'));
  return Number(attributeOf(childOf(run, 'rPr'), 'baseline') ?? 0) > 0 ? markRaised(text) : text;
};

const paragraphText = (paragraph: XmlElement): string =>
  renderRaised(
    childrenOf(paragraph)
      .map((child) => {
        if (child.name === 'br') return '\n';
        if (child.name === 'm') return markFigure(mathText(child));
        const isPageNumber = child.name === 'fld' && attributeOf(child, 'type') === 'slidenum';
        return child.name === 'r' || (child.name === 'fld' && !isPageNumber) ? runText(child) : '';
      })
      .join(''),
  ).trim();

/** Paragraphs of a shape, a title or a point of a diagram. */
export const linesOf = (shape: XmlElement | undefined): readonly string[] =>
  findAll(shape, 'p')
    .map(paragraphText)
    .filter((text) => text !== '');

/** Values of a series or of its categories, by position. */
const valuesOf = (data: XmlElement | undefined, firstDay: number): ReadonlyMap<string, string> => {
  // The innermost of nested categories, which come first.
  const level = findAll(data, 'lvl')[0] ?? data;
  const code = textIn(findAll(data, 'formatCode')[0]);
  const show = numberFormat(0, code, firstDay);
  return new Map(
    findAll(level, 'pt').map((point) => {
      const value = textIn(point).trim();
      return [attributeOf(point, 'idx') ?? '', show(value)];
    }),
  );
};

const titleOf = (title: XmlElement): string =>
  linesOf(title).join(' ') || findAll(title, 'v').map(textIn).join(' ').trim();

/** Formats a series as one line: its name, and its values with their categories. */
const seriesText = (series: XmlElement, space: XmlElement | undefined): string => {
  const firstDay = firstDayOf(attributeOf(childOf(space, 'date1904'), 'val'));
  // The chart types of Office 2016 store their data separately.
  const id = attributeOf(childOf(series, 'dataId'), 'val');
  const data = findAll(space, 'data').find((candidate) => attributeOf(candidate, 'id') === id);
  const categories = childOf(series, 'cat') ?? childOf(series, 'xVal') ?? childOf(data, 'strDim');
  const values = childOf(series, 'val') ?? childOf(series, 'yVal') ?? childOf(data, 'numDim');
  const names = valuesOf(categories, firstDay);
  const points = [...valuesOf(values, firstDay)].map(([at, value]) => `${names.get(at) ?? ''} ${value}`.trim());
  const name = findAll(childOf(series, 'tx'), 'v').map(textIn).join(' ').trim();
  return [name, points.join('; ')].filter((text) => text !== '').join(': ');
};

const chartText = (root: XmlElement): string => {
  const space = childOf(root, 'chartSpace');
  const titles = findAll(space, 'title').map(titleOf);
  const series = [...findAll(space, 'ser'), ...findAll(space, 'series')].map((one) => seriesText(one, space));
  return [...titles, ...series].filter((text) => text !== '').join('\n');
};

const diagramText = (root: XmlElement): string =>
  findAll(root, 'pt')
    .flatMap(linesOf)
    .map((line) => `- ${line}`)
    .join('\n');

const readers: Readonly<Record<string, (root: XmlElement) => string>> = {
  chart: chartText,
  chartEx: chartText,
  diagramData: diagramText,
};

/** Reads the charts and diagrams of a part: their text, and the values that they show. */
export const readDrawings = async (office: OfficePackage, part: string): Promise<Drawings> => {
  const drawings = new Map<string, string>();
  for (const [id, { type, target }] of await office.relations(part)) {
    const read = readers[type];
    if (read !== undefined && office.archive.names.has(target)) drawings.set(id, read(await office.xml(target)));
  }
  return drawings;
};

/** Text of the chart or diagram that an element refers to; undefined if it refers to none. */
export const drawingOf = (element: XmlElement, drawings: Drawings): string | undefined => {
  if (element.name === 'chart') return drawings.get(attributeOf(element, 'id') ?? '');
  return element.name === 'relIds' ? drawings.get(attributeOf(element, 'dm') ?? '') : undefined;
};
