import { hash } from 'node:crypto';
import { keyToken, valueToken } from '../filter-tokens.ts';
import { parseFilter, type Filter, type FilterCondition, type FilterNode } from '../filter-tree.ts';

/** Number of groups into which tokens are hashed. */
const tokenGroups = 1_024;

/**
 * Returns the group of a token, as stored in `kv_groups`. The index covers groups instead of tokens. Extending an index
 * of lists takes half a minute once a table has a hundred thousand distinct values, and metadata has many.
 */
export const groupOf = (token: string): string =>
  (hash('sha256', token, 'buffer').readUInt32LE(0) % tokenGroups).toString(36);

/** Returns a string as an SQL literal. The dialect has one special character, the quote; backslashes are literal. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Returns `column IN (…)`, or `false` for no values. */
export const anyOf = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} IN (${values.map(quote).join(',')})`;

const hasAny = (column: 'kv' | 'kv_groups', members: readonly string[]): string =>
  members.length === 0 ? 'false' : `array_has_any(${column}, make_array(${members.map(quote).join(',')}))`;

const tokensOf = (condition: FilterCondition): readonly string[] =>
  condition.kind === 'in'
    ? condition.values.map((value) => valueToken(condition.key, value))
    : [keyToken(condition.key)];

const positive = (condition: FilterCondition): string => {
  // Tokens are JSON, so none contains a line break.
  if (condition.kind === 'text') return `regexp_like(array_to_string(kv, '\n'), ${quote(condition.pattern.source)})`;
  if (condition.kind !== 'compare') return hasAny('kv', tokensOf(condition));
  const token = quote(keyToken(condition.key));
  const value = `array_element(num_values, CAST(array_position(num_keys, ${token}) AS BIGINT))`;
  // An absent key gives NULL, and NULL survives a negation, so it is converted to false.
  return `coalesce(${value} ${condition.operator} CAST('${condition.value}' AS DOUBLE), false)`;
};

// A chain of about a hundred AND or OR keeps the SQL parser busy for minutes; a balanced tree takes milliseconds.
const join = (operator: 'AND' | 'OR', parts: readonly string[]): string => {
  const [first] = parts;
  if (first === undefined) return operator === 'AND' ? 'true' : 'false';
  if (parts.length === 1) return first;
  const middle = parts.length >> 1;
  return `(${join(operator, parts.slice(0, middle))} ${operator} ${join(operator, parts.slice(middle))})`;
};

const compileNode = (node: FilterNode, condition: (leaf: FilterCondition) => string): string => {
  if (node.kind !== 'and' && node.kind !== 'or') return condition(node);
  return join(
    node.kind === 'and' ? 'AND' : 'OR',
    node.parts.map((part) => compileNode(part, condition)),
  );
};

/** Returns SQL over `kv`, `num_keys` and `num_values` that is true for exactly the rows that match the filter. */
export const compileFilter = (filter: Filter): string =>
  compileNode(parseFilter(filter), (leaf) => (leaf.negated ? `NOT (${positive(leaf)})` : positive(leaf)));

/** Returns SQL over the indexed `kv_groups` that is true for all rows that match the filter, and for some others. */
export const compileGroups = (filter: Filter): string =>
  compileNode(parseFilter(filter), (leaf) =>
    leaf.negated ? 'true' : hasAny('kv_groups', [...new Set(tokensOf(leaf).map(groupOf))]),
  );

/** Joins conditions by AND. Absent ones are left out. Returns `undefined` if none is left. */
export const allOf = (...conditions: readonly (string | undefined)[]): string | undefined => {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? undefined : present.map((condition) => `(${condition})`).join(' AND ');
};
