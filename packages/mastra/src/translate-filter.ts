import type { VectorFilter } from '@mastra/core/vector/filter';
import type { MetadataFilter } from 'strata-client';
import { userError } from './errors.js';

/** Operators of a field that both dialects have. */
const fieldOperators = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists']);

const refused = (what: string) => userError('UNSUPPORTED_FILTER', `Strata filters do not support ${what}.`);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const valueOf = (value: unknown): unknown => {
  if (value instanceof RegExp) throw refused('regular expressions');
  if (value === undefined) throw refused('undefined as a value');
  return value instanceof Date ? value.toISOString() : value;
};

const listOf = (value: unknown, operator: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw refused(`${operator} without a list`);
  return value.map(valueOf);
};

const translateCondition = (field: string, operator: string, operand: unknown): MetadataFilter => {
  if (operator === '$not') return { $not: translateField(field, operand) };
  if (operator === '$all') return { $and: listOf(operand, operator).map((value) => ({ [field]: { $eq: value } })) };
  if (!fieldOperators.has(operator)) throw refused(`${operator} of the key "${field}"`);
  const isList = operator === '$in' || operator === '$nin';
  return { [field]: { [operator]: isList ? listOf(operand, operator) : valueOf(operand) } };
};

const translateField = (field: string, condition: unknown): MetadataFilter => {
  if (Array.isArray(condition)) return { [field]: { $in: condition.map(valueOf) } };
  if (!isObject(condition) || condition instanceof RegExp) return { [field]: { $eq: valueOf(condition) } };
  const entries = Object.entries(condition);
  if (!entries.some(([name]) => name.startsWith('$'))) return { [field]: condition };
  const conditions = entries.map(([operator, operand]) => translateCondition(field, operator, operand));
  return conditions.length === 1 ? (conditions[0] ?? {}) : { $and: conditions };
};

const translateBranches = (operator: string, branches: unknown): readonly MetadataFilter[] => {
  if (!Array.isArray(branches) || !branches.every(isObject)) throw refused(`${operator} without a list of filters`);
  return branches.map(translateFilterObject);
};

const translateEntry = ([name, condition]: readonly [string, unknown]): MetadataFilter => {
  if (name === '$and' || name === '$or') return { [name]: translateBranches(name, condition) };
  if (name === '$nor') return { $not: { $or: translateBranches(name, condition) } };
  if (name === '$not') {
    if (!isObject(condition)) throw refused('$not without a filter');
    return { $not: translateFilterObject(condition) };
  }
  if (name.startsWith('$')) throw refused(`${name} at this place`);
  return translateField(name, condition);
};

const translateFilterObject = (filter: Readonly<Record<string, unknown>>): MetadataFilter => {
  const conditions = Object.entries(filter).map(translateEntry);
  return conditions.length === 1 ? (conditions[0] ?? {}) : { $and: conditions };
};

/** Translates a filter of Mastra; null if it has no conditions. Throws MastraError for what Strata does not support. */
export const translateFilter = (filter: VectorFilter): MetadataFilter | null =>
  filter === null || filter === undefined || Object.keys(filter).length === 0 ? null : translateFilterObject(filter);
