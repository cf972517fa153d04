/** Value of an item attribute. `Set<string>` is a DynamoDB string set. */
export type Value =
  | string
  | number
  | boolean
  | null
  | ReadonlySet<string>
  | readonly Value[]
  | { readonly [key: string]: Value };

/** Test of one attribute. */
export type Test =
  | { readonly exists: boolean }
  | { readonly eq: Value }
  | { readonly ne: Value }
  | { readonly in: readonly Value[] }
  | { readonly lt: string | number }
  | { readonly lte: string | number }
  | { readonly gt: string | number }
  | { readonly gte: string | number }
  | { readonly contains: string }
  | { readonly lacks: string }
  /** All tests of one of the lists. */
  | { readonly either: readonly (readonly Test[])[] };

/** Tests by attribute. All must hold. */
export type Condition = Readonly<Record<string, Test | readonly Test[]>>;

/** Condition of a write that creates an item: it does not exist. */
export const absent = { pk: { exists: false } } as const satisfies Condition;

/** Condition of a write that changes an item: it exists. */
export const present = { pk: { exists: true } } as const satisfies Condition;

/** Collects the names and values of an expression under short placeholders. */
export class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, Value> = {};

  name(attribute: string): string {
    const known = Object.entries(this.names).find(([, name]) => name === attribute);
    if (known !== undefined) return known[0];
    const placeholder = `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: Value): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }
}

const testExpression = (name: string, test: Test, into: Placeholders): string => {
  if ('exists' in test) return `${test.exists ? 'attribute_exists' : 'attribute_not_exists'}(${name})`;
  if ('eq' in test) return `${name} = ${into.value(test.eq)}`;
  if ('ne' in test) return `${name} <> ${into.value(test.ne)}`;
  if ('in' in test) return `${name} IN (${test.in.map((value) => into.value(value)).join(', ')})`;
  if ('lt' in test) return `${name} < ${into.value(test.lt)}`;
  if ('lte' in test) return `${name} <= ${into.value(test.lte)}`;
  if ('gt' in test) return `${name} > ${into.value(test.gt)}`;
  if ('gte' in test) return `${name} >= ${into.value(test.gte)}`;
  if ('contains' in test) return `contains(${name}, ${into.value(test.contains)})`;
  if ('lacks' in test) return `NOT contains(${name}, ${into.value(test.lacks)})`;
  const all = (tests: readonly Test[]): string => tests.map((each) => testExpression(name, each, into)).join(' AND ');
  return `(${test.either.map((tests) => `(${all(tests)})`).join(' OR ')})`;
};

const isList = (tests: Test | readonly Test[]): tests is readonly Test[] => Array.isArray(tests);

/** Returns the DynamoDB expression of a condition. */
export const conditionExpression = (condition: Condition, into: Placeholders): string =>
  Object.entries(condition)
    .flatMap(([attribute, tests]) =>
      (isList(tests) ? tests : [tests]).map((test) => testExpression(into.name(attribute), test, into)),
    )
    .join(' AND ');
