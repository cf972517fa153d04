import { createHash } from 'node:crypto';
import { parseFilter, type Filter, type FilterCondition, type FilterNode, type FilterValue } from '../filter-tree.ts';

/** A token beyond this many characters is replaced by its digest, which keeps indexes and queries small. */
const maxTokenLength = 120;

// A literal token starts with a bracket, so a digest can never equal one.
const shorten = (token: string): string =>
  token.length <= maxTokenLength ? token : `#${createHash('sha256').update(token).digest('base64url')}`;

/** The `kv` token that says that a row's metadata has a key; also the key's name in `num_keys`. */
export const keyToken = (key: string): string => shorten(JSON.stringify([key]));

/** The `kv` token that says that a key has a value, or a list with that value; the type is part of it. */
export const valueToken = (key: string, value: FilterValue): string => shorten(JSON.stringify([key, value]));

/** A string as an SQL literal. The dialect knows one special character, the quote: backslashes stand for themselves. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `column IN (…)`, or `false` for no values. */
export const anyOf = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} IN (${values.map(quote).join(',')})`;

const positive = (condition: FilterCondition): string => {
  const token = quote(keyToken(condition.key));
  switch (condition.kind) {
    case 'exists':
      return `array_has(kv, ${token})`;
    case 'in': {
      const tokens = condition.values.map((value) => quote(valueToken(condition.key, value)));
      return tokens.length === 0 ? 'false' : `array_has_any(kv, make_array(${tokens.join(',')}))`;
    }
    case 'compare': {
      const value = `array_element(num_values, CAST(array_position(num_keys, ${token}) AS BIGINT))`;
      // An absent key gives NULL, and NULL survives a negation: it has to become a plain no.
      return `coalesce(${value} ${condition.operator} CAST('${condition.value}' AS DOUBLE), false)`;
    }
  }
};

// A chain of about a hundred AND or OR keeps the SQL parser busy for minutes; a balanced tree takes milliseconds.
const join = (operator: 'AND' | 'OR', parts: readonly string[]): string => {
  const [first] = parts;
  if (first === undefined) return operator === 'AND' ? 'true' : 'false';
  if (parts.length === 1) return first;
  const middle = parts.length >> 1;
  return `(${join(operator, parts.slice(0, middle))} ${operator} ${join(operator, parts.slice(middle))})`;
};

const compileNode = (node: FilterNode): string => {
  if (node.kind === 'and') return join('AND', node.parts.map(compileNode));
  if (node.kind === 'or') return join('OR', node.parts.map(compileNode));
  return node.negated ? `NOT (${positive(node)})` : positive(node);
};

/** SQL over the columns `kv`, `num_keys` and `num_values` that is true for exactly the rows that the filter matches. */
export const compileFilter = (filter: Filter): string => compileNode(parseFilter(filter));

/** Conditions joined by AND; absent ones are left out. `undefined` when none is left. */
export const allOf = (...conditions: readonly (string | undefined)[]): string | undefined => {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? undefined : present.map((condition) => `(${condition})`).join(' AND ');
};
