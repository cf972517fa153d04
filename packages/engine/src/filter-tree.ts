import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import { type Comparison, type FilterValue, textRange } from './filter-tokens.ts';

/** Conditions on one metadata key; several are an AND. */
export interface FilterOperators {
  readonly $eq?: FilterValue;
  readonly $ne?: FilterValue;
  readonly $in?: readonly FilterValue[];
  readonly $nin?: readonly FilterValue[];
  readonly $gt?: number | string;
  readonly $gte?: number | string;
  readonly $lt?: number | string;
  readonly $lte?: number | string;
  readonly $exists?: boolean;
}

/**
 * A metadata filter in the dialect of S3 Vectors and Pinecone. `{key: value}` means `$eq`; a value can be null or a whole
 * object. A key is one of the metadata, or a path to a member of objects: `author.name`. Several keys of one object
 * are an AND. `$and` and `$or` take lists of filters, `$not` takes one. A list in the metadata matches if one of its
 * members does. `$ne` and `$nin` also match rows without the key. `$gt $gte $lt $lte` compare a single number with a
 * number, times with a time, and texts with another text. Times with an offset are equal if their instants are.
 */
export interface Filter {
  readonly $and?: readonly Filter[];
  readonly $or?: readonly Filter[];
  readonly $not?: Filter;
  readonly [key: string]: FilterValue | FilterOperators | Filter | readonly Filter[] | undefined;
}

/** One condition of a filter. `negated` inverts the result after an absent key has counted as "no match". */
export type FilterCondition = { readonly key: string; readonly negated: boolean } & (
  | { readonly kind: 'in'; readonly values: readonly FilterValue[] }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly value: number }
  | { readonly kind: 'text'; readonly pattern: RegExp }
  | { readonly kind: 'exists' }
);

/** A filter as a tree of AND and OR over conditions, with negations only at the conditions. An empty AND is true. */
export type FilterNode =
  | FilterCondition
  | { readonly kind: 'and'; readonly parts: readonly FilterNode[] }
  | { readonly kind: 'or'; readonly parts: readonly FilterNode[] };

/** Returns whether an operand contains operators. Else it is a value to compare with. */
export const hasOperators = (operand: unknown): operand is JsonObject =>
  isObject(operand) && Object.keys(operand).some((name) => name.startsWith('$'));

const comparisons: Readonly<Record<string, Comparison>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

const parseOperator = (key: string, operator: string, operand: Json, inverted: boolean): FilterNode => {
  // The casts below are safe: FilterSchema has checked the operand of each operator.
  switch (operator) {
    case '$eq':
    case '$ne':
      return { kind: 'in', key, values: [operand as FilterValue], negated: inverted !== (operator === '$ne') };
    case '$in':
    case '$nin':
      return { kind: 'in', key, values: operand as FilterValue[], negated: inverted !== (operator === '$nin') };
    case '$exists':
      return { kind: 'exists', key, negated: inverted === operand };
    default: {
      const comparison = comparisons[operator];
      if (comparison === undefined) throw new Error(`unknown filter operator ${operator}`);
      if (typeof operand === 'string')
        return { kind: 'text', key, pattern: textRange(key, comparison, operand), negated: inverted };
      return { kind: 'compare', key, operator: comparison, value: operand as number, negated: inverted };
    }
  }
};

/**
 * Returns the tree of a validated filter.
 * @param inverted Returns the opposite. De Morgan's laws move every negation down to the conditions, because a deep
 *   chain of NOT exceeds the recursion limit of SQL parsers.
 */
export const parseFilter = (filter: Filter, inverted = false): FilterNode => {
  const all = inverted ? 'or' : 'and';
  const parts: FilterNode[] = [];
  for (const [key, operand] of Object.entries(filter)) {
    if (key === '$not') parts.push(parseFilter(operand as Filter, !inverted));
    else if (key === '$and' || key === '$or') {
      const kind = (key === '$and') === inverted ? 'or' : 'and';
      parts.push({ kind, parts: (operand as readonly Filter[]).map((part) => parseFilter(part, inverted)) });
    } else if (hasOperators(operand)) {
      const conditions = Object.entries(operand).map(([name, value]) => parseOperator(key, name, value, inverted));
      parts.push({ kind: all, parts: conditions });
    } else parts.push(parseOperator(key, '$eq', operand as FilterValue, inverted));
  }
  return { kind: all, parts };
};
