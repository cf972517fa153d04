import type { JsonObject } from '../../../shared/kernel/json.ts';
import { comparisons, keyToken, valueToken } from './filter-tokens.ts';
import { parseFilter, type Filter, type FilterCondition, type FilterNode } from './filter-tree.ts';
import { type FilterSettings, metadataTokens, type MetadataTokens } from './metadata-tokens.ts';

const holds = (condition: FilterCondition, { tokens, numbers }: MetadataTokens): boolean => {
  switch (condition.kind) {
    case 'exists':
      return tokens.has(keyToken(condition.key));
    case 'in':
      return condition.values.some((value) => tokens.has(valueToken(condition.key, value)));
    case 'text':
      return tokens.values().some((token) => condition.pattern.test(token));
    case 'compare': {
      const value = numbers.get(keyToken(condition.key));
      return value !== undefined && comparisons[condition.operator](value, condition.value);
    }
  }
};

const matchesNode = (node: FilterNode, row: MetadataTokens): boolean => {
  if (node.kind === 'and') return node.parts.every((part) => matchesNode(part, row));
  if (node.kind === 'or') return node.parts.some((part) => matchesNode(part, row));
  return holds(node, row) !== node.negated;
};

/** Returns a predicate that tests whether metadata satisfies a validated filter, by the rules of an index. */
export const matcherOf = (filter: Filter, settings: FilterSettings): ((metadata: JsonObject) => boolean) => {
  const node = parseFilter(filter);
  const toTokens = metadataTokens(settings);
  return (metadata) => matchesNode(node, toTokens(metadata));
};
