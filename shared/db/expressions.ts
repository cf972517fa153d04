import { type Condition, conditionExpression, Placeholders } from './condition.ts';
import type { Change, QueryOptions } from './contracts.ts';

/** Returns names, values and condition of a DynamoDB request, without empty parts. */
export const conditionInput = (into: Placeholders, condition: Condition | undefined) => {
  const expression = condition === undefined ? '' : conditionExpression(condition, into);
  return {
    ...(expression === '' ? {} : { ConditionExpression: expression }),
    ...(Object.keys(into.names).length === 0 ? {} : { ExpressionAttributeNames: into.names }),
    ...(Object.keys(into.values).length === 0 ? {} : { ExpressionAttributeValues: into.values }),
  };
};

/** Returns the update expression of a change; empty if it changes nothing. */
export const updateExpression = (change: Change, into: Placeholders): string => {
  const set = Object.entries(change.set ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${into.name(name)} = ${into.value(value)}`],
  );
  const once = Object.entries(change.setOnce ?? {}).map(([name, value]) => {
    const placeholder = into.name(name);
    return `${placeholder} = if_not_exists(${placeholder}, ${into.value(value)})`;
  });
  const add = Object.entries(change.add ?? {}).map(([name, by]) => `${into.name(name)} ${into.value(by)}`);
  const sets = (members: Change['include']) =>
    Object.entries(members ?? {})
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => `${into.name(name)} ${into.value(new Set(values))}`);
  const remove = (change.remove ?? []).map((name) => into.name(name));
  return [
    ['SET', [...set, ...once]],
    ['ADD', [...add, ...sets(change.include)]],
    ['DELETE', sets(change.exclude)],
    ['REMOVE', remove],
  ]
    .filter(([, clauses]) => (clauses as string[]).length > 0)
    .map(([verb, clauses]) => `${verb as string} ${(clauses as string[]).join(', ')}`)
    .join(' ');
};

/** Whether a query may start after a sort key. DynamoDB refuses one outside the queried prefix. */
const isWithin = (after: string | null | undefined, prefix: string): after is string =>
  after != null && after !== '' && after.startsWith(prefix) && Buffer.byteLength(after) <= 1024;

/** Returns a strongly consistent query of a partition. It starts at the beginning if `after` is outside the prefix. */
export const queryInput = (pk: string, options: QueryOptions) => {
  const into = new Placeholders();
  const tests = [`${into.name('pk')} = ${into.value(pk)}`];
  if (options.prefix !== undefined) tests.push(`begins_with(${into.name('sk')}, ${into.value(options.prefix)})`);
  const filter = options.where === undefined ? '' : conditionExpression(options.where, into);
  const projection = options.only === undefined ? [] : ['pk', 'sk', ...options.only].map((name) => into.name(name));
  return {
    KeyConditionExpression: tests.join(' AND '),
    ...(filter === '' ? {} : { FilterExpression: filter }),
    ...(projection.length === 0 ? {} : { ProjectionExpression: projection.join(', ') }),
    ExpressionAttributeNames: into.names,
    ExpressionAttributeValues: into.values,
    ConsistentRead: true,
    ScanIndexForward: options.newestFirst !== true,
    ...(options.limit === undefined ? {} : { Limit: options.limit }),
    ...(isWithin(options.after, options.prefix ?? '') ? { ExclusiveStartKey: { pk, sk: options.after } } : {}),
  };
};
