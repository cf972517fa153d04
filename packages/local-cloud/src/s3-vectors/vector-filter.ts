import { isObject, type Json, type JsonObject } from '../../../../shared/kernel/json.ts';
import { invalid } from './vector-error.ts';

/** Tests the metadata of a vector. */
export type VectorMatcher = (metadata: JsonObject) => boolean;

type Primitive = string | number | boolean;

const maxConstraints = 100;

const isPrimitive = (value: unknown): value is Primitive => ['string', 'number', 'boolean'].includes(typeof value);

const refuse = (): never => {
  throw invalid('filter', 'Invalid filter');
};

const equals = (found: Json | undefined, value: Primitive): boolean =>
  Array.isArray(found) ? found.includes(value) : found === value;

const comparisons: Readonly<Record<string, (found: number, value: number) => boolean>> = {
  $gt: (found, value) => found > value,
  $gte: (found, value) => found >= value,
  $lt: (found, value) => found < value,
  $lte: (found, value) => found <= value,
};

/** Context of one filter: the keys that it may not name, and the constraints so far. */
interface FilterContext {
  readonly nonFilterableKeys: ReadonlySet<string>;
  constraints: number;
}

const valuesOf = (operand: unknown): readonly Primitive[] =>
  Array.isArray(operand) && operand.length > 0 && operand.every(isPrimitive) ? operand : refuse();

const constraintOf = (
  operator: string,
  operand: unknown,
): readonly [count: number, (found: Json | undefined) => boolean] => {
  if (operator === '$eq' || operator === '$ne') {
    const value = isPrimitive(operand) ? operand : refuse();
    return [1, (found) => equals(found, value) === (operator === '$eq')];
  }
  if (operator === '$in' || operator === '$nin') {
    const values = valuesOf(operand);
    return [values.length, (found) => values.some((value) => equals(found, value)) === (operator === '$in')];
  }
  if (operator === '$exists') {
    if (typeof operand !== 'boolean') return refuse();
    return [1, (found) => (found !== undefined) === operand];
  }
  if (operator === '$startsWith') {
    if (typeof operand !== 'string') return refuse();
    return [1, (found) => typeof found === 'string' && found.startsWith(operand)];
  }
  const compare = comparisons[operator];
  if (compare === undefined || typeof operand !== 'number') return refuse();
  return [1, (found) => typeof found === 'number' && compare(found, operand)];
};

const compileField = (key: string, condition: unknown, context: FilterContext): VectorMatcher => {
  if (context.nonFilterableKeys.has(key)) throw invalid('filter', 'Invalid use of non-filterable metadata in filter');
  const operators = isObject(condition) ? Object.entries(condition) : [['$eq', condition] as const];
  if (operators.length === 0) return refuse();
  const tests = operators.map(([operator, operand]) => {
    const [count, test] = constraintOf(operator, operand);
    context.constraints += count;
    return test;
  });
  return (metadata) => {
    const found = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    return tests.every((test) => test(found));
  };
};

const compile = (filter: unknown, context: FilterContext): VectorMatcher => {
  const entries = isObject(filter) ? Object.entries(filter) : refuse();
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return refuse();
  const [key, operand] = entry;
  if (key !== '$and' && key !== '$or') return key.startsWith('$') ? refuse() : compileField(key, operand, context);
  if (!Array.isArray(operand) || operand.length === 0) return refuse();
  const parts = operand.map((part) => compile(part, context));
  return key === '$and'
    ? (metadata) => parts.every((matches) => matches(metadata))
    : (metadata) => parts.some((matches) => matches(metadata));
};

/**
 * Compiles a filter by the rules of the index mode ENHANCED: each object has one key, and all values together are at most
 * 100 constraints. `$ne` and `$nin` match vectors without the key.
 * @throws VectorError for a filter that the service refuses.
 */
export const compileVectorFilter = (filter: unknown, nonFilterableKeys: readonly string[]): VectorMatcher => {
  const context: FilterContext = { nonFilterableKeys: new Set(nonFilterableKeys), constraints: 0 };
  const matches = compile(filter, context);
  if (context.constraints > maxConstraints)
    throw invalid('filter', `A filter has at most ${maxConstraints} constraints, but has ${context.constraints}`);
  return matches;
};
