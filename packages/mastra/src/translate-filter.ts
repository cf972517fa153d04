import type { VectorFilter } from '@mastra/core/vector/filter';
import type { JsonValue, MetadataFilter } from 'strata-client';
import { userError } from './errors.js';

/** Operators of a field that both dialects have. */
const fieldOperators = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists']);

/** Filter that every row matches, and one that none matches. */
const all: MetadataFilter = {};
const nothing: MetadataFilter = { $not: {} };

const refused = (what: string) => userError('UNSUPPORTED_FILTER', `Strata filters do not support ${what}.`);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** Converts a value to JSON. Throws MastraError for one that JSON omits or changes, since a filter without it matches more. */
const valueOf = (value: unknown): JsonValue => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (value instanceof RegExp) throw refused('regular expressions');
  if (Array.isArray(value)) return Array.from(value, valueOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, valueOf(field)]));
  throw refused(`${typeof value === 'object' ? value.constructor.name : typeof value} as a value`);
};

const listOf = (value: unknown, operator: string): readonly JsonValue[] => {
  if (!Array.isArray(value)) throw refused(`${operator} without a list`);
  return Array.from(value, valueOf);
};

const matchesAll = (filter: MetadataFilter): boolean => Object.keys(filter).length === 0;

const allOf = (filters: readonly MetadataFilter[]): MetadataFilter => {
  const conditions = filters.filter((filter) => !matchesAll(filter));
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? all);
};

const anyOf = (filters: readonly MetadataFilter[]): MetadataFilter => {
  if (filters.length === 0) return nothing;
  return filters.some(matchesAll) ? all : { $or: [...filters] };
};

const translateCondition = (field: string, operator: string, operand: unknown): MetadataFilter => {
  if (operator === '$not') return { $not: translateField(field, operand) };
  if (operator === '$all') {
    const values = listOf(operand, operator);
    return values.length === 0 ? nothing : allOf(values.map((value) => ({ [field]: { $eq: value } })));
  }
  if (!fieldOperators.has(operator)) throw refused(`${operator} of the key "${field}"`);
  const isList = operator === '$in' || operator === '$nin';
  return { [field]: { [operator]: isList ? listOf(operand, operator) : valueOf(operand) } };
};

const translateField = (field: string, condition: unknown): MetadataFilter => {
  if (Array.isArray(condition)) return { [field]: { $in: listOf(condition, '$in') } };
  if (!isObject(condition)) return { [field]: { $eq: valueOf(condition) } };
  const entries = Object.entries(condition);
  if (!entries.some(([name]) => name.startsWith('$'))) return { [field]: valueOf(condition) };
  return allOf(entries.map(([operator, operand]) => translateCondition(field, operator, operand)));
};

const translateBranches = (operator: string, branches: unknown): readonly MetadataFilter[] => {
  if (!Array.isArray(branches) || !branches.every(isObject)) throw refused(`${operator} without a list of filters`);
  return branches.map(translateObject);
};

const translateEntry = ([name, condition]: readonly [string, unknown]): MetadataFilter => {
  if (name === '$and') return allOf(translateBranches(name, condition));
  if (name === '$or') return anyOf(translateBranches(name, condition));
  if (name === '$nor') {
    const branches = translateBranches(name, condition);
    return branches.length === 0 ? all : { $not: anyOf(branches) };
  }
  if (name === '$not') {
    if (!isObject(condition)) throw refused('$not without a filter');
    return { $not: translateObject(condition) };
  }
  if (name.startsWith('$')) throw refused(`${name} at this place`);
  return translateField(name, condition);
};

const translateObject = (filter: Readonly<Record<string, unknown>>): MetadataFilter =>
  allOf(Object.entries(filter).map(translateEntry));

/** Translates a filter of Mastra; null if every row matches. Throws MastraError for what Strata does not support. */
export const translateFilter = (filter: VectorFilter): MetadataFilter | null => {
  if (filter === null || filter === undefined) return null;
  if (!isObject(filter)) throw refused(`a ${typeof filter === 'function' ? 'function' : 'value'} in place of a filter`);
  const translated = translateObject(filter);
  return matchesAll(translated) ? null : translated;
};
