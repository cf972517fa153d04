import { medianOf } from '../../../../../../shared/platform/median.ts';
import type { PageCharacters } from '../page-characters.ts';
import { columnAt, type Columns } from './columns.ts';
import { mergeDropCaps } from './drop-caps.ts';
import { withSplitFigures } from './figure-columns.ts';
import { toBands, toFragments, uprightGroups, type Band, type Fragment } from './fragments.ts';
import { largestDivided, pitchesOf, type Divided } from './gutters.ts';
import { areProse, columnsOf, toTable, withoutItemMarks, withoutLinesAround } from './open-tables.ts';
import { withoutLeaders } from './leaders.ts';
import { toParagraphs, type LayoutBlock } from './paragraphs.ts';
import { takeRuledTables } from './ruled-tables.ts';
import { joinPieces, noRules, type PageRules } from './rules.ts';
import { borderBesideAxes, borderBesideTable } from './tables-beside.ts';
import { takeVerticalText } from './vertical-text.ts';

const maxDepth = 8;
const minTableBands = 3;

const isOneSided = ({ fragments }: Band, borders: readonly number[]): boolean =>
  new Set(fragments.map((fragment) => columnAt(borders, fragment))).size < 2;

/** Narrows divided bands to those that are not part of the undivided text above and below them. */
const trim = (bands: readonly Band[], divided: Divided, isText: boolean): Divided => {
  let { from, to } = divided;
  const borders = divided.gutters.map(({ left, right }) => (left + right) / 2);
  const at = (index: number): Band | undefined => bands[index];
  const distance = (above: number, below: number): number => (at(below)?.baseline ?? 0) - (at(above)?.baseline ?? 0);
  const pitch = medianOf(pitchesOf(bands.slice(from, to + 1)));
  for (let band = at(from); band !== undefined && from < to && isOneSided(band, borders); band = at(from)) {
    const above = at(from - 1);
    const continuesAbove =
      above !== undefined &&
      Math.abs(above.size - band.size) < 0.1 * band.size &&
      distance(from - 1, from) <= Math.min(1.6 * band.size, 1.1 * distance(from, from + 1));
    const isApart = !isText && distance(from, from + 1) > 1.5 * band.size;
    if (!continuesAbove && !isApart) break;
    from += 1;
  }
  if (isText && at(to + 1) === undefined) return { ...divided, from, to };
  // Lines of one column at the end are apart if the first of them is, such as a heading and the text below it.
  let index = to;
  for (let band = at(index); band !== undefined && from < index && isOneSided(band, borders); band = at(index)) {
    const isLeft = band.fragments.every((fragment) => columnAt(borders, fragment) === 0);
    index -= 1;
    if (isLeft && distance(index, index + 1) > 1.5 * pitch) to = index;
  }
  return { ...divided, from, to };
};

const separatorsIn = ({ horizontal }: PageRules, bands: readonly Band[]): readonly number[] => {
  const fragments = bands.flatMap((band) => band.fragments);
  const left = Math.min(...fragments.map((fragment) => fragment.left));
  const right = Math.max(...fragments.map((fragment) => fragment.right));
  const [first, last] = [bands[0]?.baseline ?? 0, bands.at(-1)?.baseline ?? 0];
  const heights = horizontal
    .filter(
      ({ at, from, to }) =>
        at > first && at < last && Math.min(to, right) - Math.max(from, left) > 0.5 * (right - left),
    )
    .map(({ at }) => at)
    .toSorted((one, other) => one - other);
  return heights.filter((at, index) => index === 0 || at - (heights[index - 1] ?? 0) > 2);
};

const hasRuledTable = (bands: readonly Band[]): boolean =>
  bands.some(({ fragments }) => fragments.some(({ table }) => table !== undefined));

const minProseEms = 10;

/** Whether two lines beside two others are two columns of text: all but the last are long, and go on in lower case. */
const areShortColumns = (bands: readonly Band[], borders: readonly number[]): boolean =>
  borders.length === 1 &&
  bands.every(({ fragments }) => new Set(fragments.map((fragment) => columnAt(borders, fragment))).size === 2) &&
  (bands[0]?.fragments ?? []).every(({ left, right, size }) => right - left >= minProseEms * size) &&
  (bands[1]?.fragments ?? []).every(({ characters }) => /^\p{Ll}/u.test(characters[0]?.text ?? ''));

const countCrossed = ({ left, right, size }: Fragment, borders: readonly number[]): number =>
  borders.filter((x) => x > left + 0.5 * size && x < right - 0.5 * size).length;

/** Whether a line is a title over the columns: it begins in the first one, or is over most of them. */
const isTitle = ({ fragments }: Band, borders: readonly number[]): boolean =>
  fragments.some((one) => {
    const crossed = countCrossed(one, borders);
    return (
      crossed > 0 && (columnAt(borders, { left: one.left, right: one.left }) === 0 || crossed * 2 >= borders.length)
    );
  });

/** Narrows a table to the bands between its first and its last rule: without its title and the notes below it. */
const withoutNotes = (bands: readonly Band[], divided: Divided, rules: PageRules): Divided => {
  const own = bands.slice(divided.from, divided.to + 1);
  const borders = divided.gutters.map(({ left, right }) => (left + right) / 2);
  const separators = separatorsIn(rules, own);
  const [first = 0, last = 0] = [separators[0], separators.at(-1)];
  const within = own.filter(({ baseline }) => baseline > first && baseline < last);
  if (within.length < minTableBands) return divided;
  const isFew = ({ fragments }: Band): boolean =>
    new Set(fragments.map((fragment) => columnAt(borders, fragment))).size * 2 <= borders.length;
  const above = own.filter(({ baseline }) => baseline < first);
  const below = own.filter(({ baseline }) => baseline > last);
  const from = above.every((band) => isFew(band) && isTitle(band, borders)) ? above.length : 0;
  const to = below.every(isFew) ? below.length : 0;
  return { ...divided, from: divided.from + from, to: divided.to - to };
};

const maxRuledHeadBands = 12;

/** Whether the first line with a text in each column is the head of a table: it is between two rules over all of it. */
const hasRuledHead = ({ bands, borders }: Columns, { horizontal }: PageRules): boolean => {
  const at = bands.findIndex(
    ({ fragments }) =>
      fragments.length === borders.length + 1 && fragments.every((one, index) => columnAt(borders, one) === index),
  );
  const [head, below] = bands.slice(Math.max(0, at));
  if (at === -1 || head === undefined || below === undefined || bands.length > maxRuledHeadBands) return false;
  const hasRule = (from: number, to: number): boolean =>
    horizontal.some(
      (rule) =>
        rule.at > from && rule.at < to && head.fragments.every((one) => rule.from <= one.left && rule.to >= one.right),
    );
  return hasRule(head.top - 2 * head.size, head.baseline) && hasRule(head.baseline, below.baseline);
};

/** Blocks of the bands of one column in reading order. */
const flow = (bands: readonly Band[], rules: PageRules, depth: number): readonly LayoutBlock[] => {
  const largest = depth < maxDepth ? largestDivided(bands) : null;
  if (largest === null) return toParagraphs(bands);
  const whole = withoutItemMarks(columnsOf(bands, largest));
  const hasProse = whole.borders.length > 0 && areProse(whole) && !hasRuledHead(whole, rules);
  const wrapped = hasProse ? withoutLinesAround(bands, largest) : null;
  const isText = hasProse && wrapped === null;
  const divided = wrapped ?? largest;
  const trimmed = trim(bands, divided, isText);
  const { from, to, gutters } = isText ? trimmed : withoutNotes(bands, trimmed, rules);
  const columns = withoutItemMarks(columnsOf(bands, { from, to, gutters }));
  return [
    ...flow(bands.slice(0, from), rules, depth + 1),
    ...divide(columns, isText, rules, depth + 1),
    ...flow(bands.slice(to + 1), rules, depth + 1),
  ];
};

const divide = (columns: Columns, isText: boolean, rules: PageRules, depth: number): readonly LayoutBlock[] => {
  const { bands, borders } = columns;
  if (borders.length === 0) return toParagraphs(bands);
  const readApart = (between: readonly number[]): readonly LayoutBlock[] => {
    const texts = Array.from({ length: between.length + 1 }, (): Fragment[] => []);
    for (const { fragments } of bands)
      for (const fragment of fragments) texts[columnAt(between, fragment)]?.push(fragment);
    return texts.flatMap((fragments) => flow(toBands(fragments), rules, depth));
  };
  if (isText) return readApart(borders);
  if (hasRuledTable(bands)) return toParagraphs(bands);
  const beside = borderBesideTable(columns, rules.horizontal);
  if (beside !== null) return readApart([beside]);
  const axes = borderBesideAxes(columns);
  if (axes !== null) return readApart([axes]);
  if (bands.length === 2 && areShortColumns(bands, borders)) {
    const columnsText = [0, 1].map((column) =>
      bands.flatMap(({ fragments }) => fragments.filter((fragment) => columnAt(borders, fragment) === column)),
    );
    return columnsText.flatMap((fragments) => toParagraphs(toBands(fragments)));
  }
  const isFew = bands.length < minTableBands && !(bands.length === 2 && borders.length > 1);
  return isFew ? toParagraphs(bands) : [{ kind: 'table', ...toTable(columns, separatorsIn(rules, bands)) }];
};

/** Paragraphs and tables of a page in reading order. Text in other directions follows the upright text. */
export const layoutPage = (page: PageCharacters, rules: PageRules): readonly LayoutBlock[] => {
  const { vertical, rest } = takeVerticalText(page);
  const others = uprightGroups(rest).flatMap((group, index) => {
    const own = index === 0 ? rules : noRules;
    const painted = withoutLeaders(mergeDropCaps(toFragments(group.characters)));
    const fragments = takeRuledTables(withSplitFigures(painted), own);
    const blocks = flow(toBands(fragments), { ...own, horizontal: joinPieces(own.horizontal) }, 0);
    const { turns = 0 } = group;
    return turns === 0 ? blocks : blocks.map((block) => ({ ...block, turns }));
  });
  return [...vertical, ...others];
};
