import { comparisons, keyToken, valueToken } from '../filter-tokens.ts';
import { type Filter, type FilterCondition, type FilterNode, parseFilter } from '../filter-tree.ts';
import type { LiveSegment } from './open-versions.ts';
import type { RowTokens } from './row-tokens.ts';
import type { IsOut } from './segment-vectors.ts';

/** Returns the numbers of the lists with the rows that satisfy a condition on tokens. */
const listsOf = (condition: Exclude<FilterCondition, { kind: 'compare' }>, { lists }: RowTokens): readonly number[] => {
  switch (condition.kind) {
    case 'in':
      return condition.values.map((value) => lists.find(valueToken(condition.key, value)));
    case 'exists':
      return [lists.find(keyToken(condition.key))];
    case 'text':
      return Array.from({ length: lists.size }, (_, number) => number).filter((number) =>
        condition.pattern.test(lists.keyAt(number)),
      );
  }
};

/** Returns 1 for each row that satisfies a condition, and 0 for the others. */
const rowsWith = (condition: FilterCondition, tokens: RowTokens, rows: number): Uint8Array => {
  const found = new Uint8Array(rows);
  if (condition.kind === 'compare') {
    const { rows: at, values } = tokens.numbers.get(keyToken(condition.key)) ?? { rows: [], values: [] };
    const compare = comparisons[condition.operator];
    for (const [number, row] of at.entries()) if (compare(values[number] ?? 0, condition.value)) found[row] = 1;
  } else
    for (const number of listsOf(condition, tokens))
      if (number >= 0) for (const row of tokens.lists.rowsOf(number).rows) found[row] = 1;
  return condition.negated ? found.map((is) => 1 - is) : found;
};

const matchesOf = (node: FilterNode, tokens: RowTokens, rows: number): Uint8Array => {
  if (node.kind !== 'and' && node.kind !== 'or') return rowsWith(node, tokens, rows);
  const isAnd = node.kind === 'and';
  const all = new Uint8Array(rows).fill(isAnd ? 1 : 0);
  for (const part of node.parts) {
    const matches = matchesOf(part, tokens, rows);
    for (let row = 0; row < rows; row += 1)
      all[row] = isAnd ? (all[row] ?? 0) & (matches[row] ?? 0) : (all[row] ?? 0) | (matches[row] ?? 0);
  }
  return all;
};

/** Returns a test for the rows of a segment that are dead or do not match a filter. */
export const outOf = async ({ segment, isDead }: LiveSegment, filter: Filter | undefined): Promise<IsOut> => {
  if (filter === undefined) return isDead;
  const matches = matchesOf(parseFilter(filter), await segment.get('tokens'), segment.info.rows);
  return isDead === null ? (row) => matches[row] === 0 : (row) => matches[row] === 0 || isDead(row);
};
