import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { expiryKey } from '../../../../shared/kernel/row-metadata.ts';
import { keyToken, valueToken } from '../filter-tokens.ts';
import { type Filter, type FilterCondition, type FilterNode, parseFilter } from '../filter-tree.ts';
import { anyRow, numberKey, storedToken, tokensKey } from './row-keys.ts';
import { Unsupported } from '../unsupported.ts';

/** Values of a query that are reserved: 17 for the jobs that a writer hides at most, two for the expiry, and one more. */
const reserved = 20;
/** Values that the filter of a caller may compare. Source: Amazon S3 Vectors, 100 in index mode ENHANCED. */
const maxConstraints = 100 - reserved;

interface Compiled {
  readonly filter: JsonObject;
  readonly constraints: number;
}

/** Filter that is true for every row, or for none. Every row has the token `anyRow`. */
const constant = (isTrue: boolean): Compiled => ({
  filter: { [tokensKey]: { [isTrue ? '$eq' : '$ne']: anyRow } },
  constraints: 1,
});

const inverse = { '>': '$lte', '>=': '$lt', '<': '$gte', '<=': '$gt' } as const;
const operators = { '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' } as const;

/** Compares tokens, so that a condition on an absent key, a list or an object needs no rule of the service. */
const tokensIn = (tokens: readonly string[], negated: boolean): Compiled =>
  tokens.length === 0
    ? constant(negated)
    : { filter: { [tokensKey]: { [negated ? '$nin' : '$in']: tokens.map(storedToken) } }, constraints: tokens.length };

const compileOne = (condition: FilterCondition): Compiled => {
  const { key, negated } = condition;
  switch (condition.kind) {
    case 'exists':
      return tokensIn([keyToken(key)], negated);
    case 'in':
      return tokensIn([...new Set(condition.values.map((value) => valueToken(key, value)))], negated);
    case 'text':
      throw new Unsupported(
        'text_ranges',
        `The engine s3_vectors does not compare texts and times by order, such as "${key}"`,
      );
    case 'compare': {
      const name = numberKey(keyToken(key));
      const { operator, value } = condition;
      if (!negated) return { filter: { [name]: { [operators[operator]]: value } }, constraints: 1 };
      const parts = [{ [name]: { $exists: false } }, { [name]: { [inverse[operator]]: value } }];
      return { filter: { $or: parts }, constraints: 2 };
    }
  }
};

const compileCondition = (condition: FilterCondition): Compiled => {
  const compiled = compileOne(condition);
  // Added by the engine, within the reserve.
  return condition.key === expiryKey ? { ...compiled, constraints: 0 } : compiled;
};

const compileNode = (node: FilterNode): Compiled => {
  if (node.kind !== 'and' && node.kind !== 'or') return compileCondition(node);
  const parts = node.parts.map(compileNode);
  const [first] = parts;
  if (first === undefined) return constant(node.kind === 'and');
  if (parts.length === 1) return first;
  return {
    filter: { [`$${node.kind}`]: parts.map(({ filter }) => filter) },
    constraints: parts.reduce((sum, { constraints }) => sum + constraints, 0),
  };
};

/**
 * Compiles a validated filter to one of Amazon S3 Vectors that matches exactly the same rows.
 * @param hiddenJobs Tokens of jobs whose rows are not visible.
 * @throws Unsupported for a filter with more than 80 compared values, or with ranges of texts or times.
 */
export const compileFilter = (filter: Filter, hiddenJobs: readonly string[] = []): JsonObject => {
  const visible = tokensIn(hiddenJobs, true);
  const own = compileNode(parseFilter(filter));
  if (own.constraints > maxConstraints)
    throw new Unsupported(
      'large_filters',
      `The filter compares ${own.constraints} values; the engine s3_vectors compares at most ${maxConstraints}`,
    );
  return hiddenJobs.length === 0 ? own.filter : { $and: [visible.filter, own.filter] };
};
