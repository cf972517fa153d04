import type { Json, JsonObject } from '../../kernel/json.ts';
import { valueToken } from './filter-tokens.ts';
import { parseFilter, type Filter, type FilterCondition, type FilterNode } from './filter-tree.ts';

const valueOf = (metadata: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined;

const holds = (condition: FilterCondition, metadata: JsonObject): boolean => {
  const value = valueOf(metadata, condition.key);
  switch (condition.kind) {
    case 'exists':
      return value !== undefined;
    case 'in': {
      const members: readonly unknown[] = Array.isArray(value) ? value : [value];
      return condition.values.some((wanted) => members.includes(wanted));
    }
    case 'text': {
      const members: readonly unknown[] = Array.isArray(value) ? value : [value];
      const { key, pattern } = condition;
      return members.some((member) => typeof member === 'string' && pattern.test(valueToken(key, member)));
    }
    case 'compare': {
      if (typeof value !== 'number') return false;
      if (condition.operator === '>') return value > condition.value;
      if (condition.operator === '>=') return value >= condition.value;
      return condition.operator === '<' ? value < condition.value : value <= condition.value;
    }
  }
};

const matchesNode = (node: FilterNode, metadata: JsonObject): boolean => {
  if (node.kind === 'and') return node.parts.every((part) => matchesNode(part, metadata));
  if (node.kind === 'or') return node.parts.some((part) => matchesNode(part, metadata));
  return holds(node, metadata) !== node.negated;
};

/**
 * Returns a predicate that tests whether metadata satisfies a validated filter.
 * @param nonFilterableKeys Keys that filters ignore: they count as absent.
 */
export const matcherOf = (
  filter: Filter,
  nonFilterableKeys: readonly string[],
): ((metadata: JsonObject) => boolean) => {
  const node = parseFilter(filter);
  const hidden = new Set(nonFilterableKeys);
  return (metadata) =>
    matchesNode(node, Object.fromEntries(Object.entries(metadata).filter(([key]) => !hidden.has(key))));
};
