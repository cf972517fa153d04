import { isObject, type JsonObject } from '../../../shared/kernel/json.ts';
import { invalidParam } from './error-format.ts';

const comparisons: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']);
const maxDepth = 8;

/** Converts a filter of the OpenAI API to one of the service. Throws 400. */
export const toFilter = (filter: unknown, param = 'filters', depth = 1): JsonObject => {
  if (!isObject(filter) || depth > maxDepth) throw invalidParam(param, 'This is not a comparison or compound filter');
  const { type, key, value, filters } = filter;
  if (type === 'and' || type === 'or') {
    if (!Array.isArray(filters) || filters.length === 0)
      throw invalidParam(`${param}.filters`, 'A compound filter needs a list of filters');
    return { [`$${type}`]: filters.map((part, at) => toFilter(part, `${param}.filters[${at}]`, depth + 1)) };
  }
  if (typeof type !== 'string' || !comparisons.has(type))
    throw invalidParam(`${param}.type`, 'The type of a filter is a comparison, and, or or');
  if (typeof key !== 'string' || key === '' || key.startsWith('$'))
    throw invalidParam(`${param}.key`, 'A comparison needs the key of an attribute');
  return { [key]: { [`$${type}`]: value as JsonObject[string] } };
};
