import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallTables } from '../src/tables/call-tables.ts';
import type { TableDefinition } from '../src/tables/table-definition.ts';
import { randomFrom } from '../../../test/support/random.ts';
import { runDynalite, runTables } from '../../../scripts/support/run-tables.ts';

/** As many as the whole run of the tests can afford; 10,000 take a minute. */
const requests = Number(process.env['TABLE_REQUESTS'] ?? 400);
const seed = Number(process.env['SEED'] ?? 20260101);

const things: TableDefinition = {
  name: 'things',
  region: 'us-east-1',
  attributes: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
    { AttributeName: 'group', AttributeType: 'S' },
    { AttributeName: 'place', AttributeType: 'B' },
    { AttributeName: 'rank', AttributeType: 'N' },
  ],
  key: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  indexes: [
    {
      IndexName: 'keys',
      KeySchema: [
        { AttributeName: 'group', KeyType: 'HASH' },
        { AttributeName: 'place', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
    {
      IndexName: 'some',
      KeySchema: [
        { AttributeName: 'group', KeyType: 'HASH' },
        { AttributeName: 'rank', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'e'] },
    },
  ],
  expiryAttribute: null,
};

type Value = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Value>>;

/** Keys and values from a small set, so that requests meet. */
class Chance {
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  holds(share: number): boolean {
    return this.random() < share;
  }

  of<Element>(list: readonly Element[]): Element {
    return list[this.below(list.length)] as Element;
  }

  some<Element>(list: readonly Element[]): readonly Element[] {
    return list.filter(() => this.holds(0.4));
  }
}

/** Numbers whose sums have few digits: a sum of more than 38 is an error of DynamoDB alone. */
const addends = ['0', '-0', '1', '2', '10', '-1', '-2.50', '0.001', '1e20', '-1e20', '1.5', '007'];
const numbers = [
  ...addends,
  '1E-100',
  '12345678901234567890123456789012345678',
  '12345678901234567890123456789012345677',
  '-9.9999999999999999999999999999999999999e125',
];
const badNumbers = ['x', '', '1e200', '123456789012345678901234567890123456789', '1e-140'];
// No empty text, which the other implementation takes for a missing value.
const texts = ['a', 'ab', 'abc', 'b', 'é', '😀', 'z z'];
const bytes = ['AA==', 'QQI=', '/w==', '/wE=', 'YWJj'];
const attributes = ['a', 'b', 'c', 'd', 'e'];

const scalar = (chance: Chance): Value =>
  chance.of<() => Value>([
    () => ({ S: chance.of(texts) }),
    () => ({ N: chance.of(chance.holds(0.02) ? badNumbers : addends) }),
    () => ({ B: chance.of(bytes) }),
    () => ({ BOOL: chance.holds(0.5) }),
    () => ({ NULL: true }),
  ])();

const setOf = (chance: Chance): Value =>
  chance.of<() => Value>([
    () => ({ SS: chance.some(texts) }),
    () => ({ NS: chance.some(['1', '2', '10', '-1', '2.5']) }),
    () => ({ BS: chance.some(bytes) }),
  ])();

const value = (chance: Chance, depth = 0): Value => {
  if (chance.holds(0.6) || depth > 2) return scalar(chance);
  if (chance.holds(0.4)) return setOf(chance);
  const members = Array.from({ length: chance.below(4) }, () => value(chance, depth + 1));
  return chance.holds(0.5)
    ? { L: members }
    : { M: Object.fromEntries(members.map((member, at) => [attributes[at], member])) };
};

const key = (chance: Chance): Item => ({
  pk: { S: chance.holds(0.01) ? '' : chance.of(['p', 'q', 'é']) },
  sk: chance.holds(0.01) ? { S: 'no number' } : { N: chance.of(numbers) },
});

const item = (chance: Chance): Item => {
  const own = Object.fromEntries(chance.some(attributes).map((name) => [name, value(chance)]));
  // Each item has its own place and rank, since entries with the same one have no order.
  const place = Buffer.from([chance.below(256), chance.below(256), chance.below(256)]).toString('base64');
  const rank = `${chance.below(1_000_000) - 500_000}e${chance.below(20) - 10}`;
  const placed = chance.holds(0.6)
    ? { group: { S: chance.of(['g', 'h']) }, place: { B: place }, rank: { N: rank } }
    : {};
  return { ...own, ...placed, ...key(chance) };
};

/** An expression with its placeholders. */
class Expression {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, Value> = {};
  private readonly chance: Chance;

  constructor(chance: Chance) {
    this.chance = chance;
  }

  name(name: string): string {
    this.names[`#${name}`] = name;
    return `#${name}`;
  }

  value(of: Value): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = of;
    return placeholder;
  }

  path(): string {
    const name = this.chance.of(attributes);
    if (this.chance.holds(0.8)) return this.name(name);
    return this.chance.holds(0.5)
      ? `${this.name(name)}[${this.chance.below(3)}]`
      : `${this.name(name)}.${this.name(this.chance.of(attributes))}`;
  }

  condition(depth = 0): string {
    const { chance } = this;
    if (depth < 2 && chance.holds(0.3)) {
      const parts = [this.condition(depth + 1), this.condition(depth + 1)];
      return chance.holds(0.2) ? `NOT (${parts[0]})` : `(${parts.join(chance.holds(0.5) ? ' AND ' : ' OR ')})`;
    }
    const text = () => this.value({ S: chance.of(texts) });
    const number = () => this.value({ N: chance.of(numbers) });
    return chance.of<() => string>([
      () => `attribute_exists(${this.path()})`,
      () => `attribute_not_exists(${this.path()})`,
      () => `${this.path()} ${chance.of(['=', '<>'])} ${this.value(scalar(chance))}`,
      () => `${this.path()} ${chance.of(['<', '<=', '>', '>='])} ${chance.holds(0.5) ? text() : number()}`,
      // Lists and maps are equal in DynamoDB only.
      () => `${this.path()} = ${this.value(setOf(chance))}`,
      () => `begins_with(${this.path()}, ${text()})`,
      () => `contains(${this.path()}, ${chance.holds(0.7) ? text() : number()})`,
      () => `${this.path()} IN (${text()}, ${number()}, ${text()})`,
      () => `${this.path()} BETWEEN ${this.value({ N: '-2' })} AND ${this.value({ N: '10' })}`,
      () => `size(${this.path()}) ${chance.of(['>', '<', '='])} ${this.value({ N: String(chance.below(4)) })}`,
      () => `attribute_type(${this.path()}, ${this.value({ S: chance.of(['S', 'N', 'SS', 'M']) })})`,
    ])();
  }

  update(): string {
    const { chance } = this;
    const operand = (): string => (chance.holds(0.3) ? this.path() : this.value({ N: chance.of(addends) }));
    const target = (): string => (chance.holds(0.9) ? this.name(chance.of(attributes)) : this.path());
    const sets = Array.from({ length: chance.below(3) }, () => {
      const right = chance.of<() => string>([
        () => this.value(value(chance)),
        () => `${operand()} ${chance.of(['+', '-'])} ${operand()}`,
        () => `if_not_exists(${this.path()}, ${this.value(scalar(chance))})`,
        () => `list_append(${this.path()}, ${this.value({ L: [scalar(chance)] })})`,
        () => this.path(),
      ])();
      return `${target()} = ${right}`;
    });
    const removes = Array.from({ length: chance.below(2) }, target);
    const adds = Array.from(
      { length: chance.below(2) },
      () => `${target()} ${this.value(chance.holds(0.6) ? { N: chance.of(['1', '-2.5', '0.1']) } : setOf(chance))}`,
    );
    const deletes = Array.from({ length: chance.below(2) }, () => `${target()} ${this.value(setOf(chance))}`);
    return [
      ['SET', sets],
      ['REMOVE', removes],
      ['ADD', adds],
      ['DELETE', deletes],
    ]
      .filter(([, parts]) => (parts as readonly string[]).length > 0)
      .map(([verb, parts]) => `${verb as string} ${(parts as readonly string[]).join(', ')}`)
      .join(' ');
  }

  placeholders(): object {
    return {
      ...(Object.keys(this.names).length === 0 ? {} : { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length === 0 ? {} : { ExpressionAttributeValues: this.values }),
    };
  }
}

const sometimes = (chance: Chance, share: number, part: () => object): object => (chance.holds(share) ? part() : {});

const TableName = 'things';

const keyCondition = (chance: Chance, expression: Expression, range: string): string => {
  const of = (): string => expression.value(range === 'place' ? { B: chance.of(bytes) } : { N: chance.of(numbers) });
  const tests = [
    ...['=', '<', '<=', '>', '>='].map((by) => () => `${expression.name(range)} ${by} ${of()}`),
    () => `${expression.name(range)} BETWEEN ${of()} AND ${of()}`,
    ...(range === 'place' ? [() => `begins_with(${expression.name(range)}, ${of()})`] : []),
  ];
  return chance.of(tests)();
};

const query = (chance: Chance): readonly [string, object] => {
  const expression = new Expression(chance);
  const [IndexName, hash, range] = chance.of([
    [undefined, 'pk', 'sk'],
    [undefined, 'pk', 'sk'],
    ['some', 'group', 'rank'],
    ['keys', 'group', 'place'],
  ] as const);
  const partition = expression.value({ S: chance.of(hash === 'pk' ? ['p', 'q', 'é'] : ['g', 'h']) });
  const own = `${expression.name(hash)} = ${partition}`;
  const KeyConditionExpression = chance.holds(0.5) ? own : `${own} AND ${keyCondition(chance, expression, range)}`;
  const request = {
    TableName,
    ...(IndexName === undefined ? {} : { IndexName }),
    KeyConditionExpression,
    ...sometimes(chance, 0.3, () => ({ FilterExpression: expression.condition() })),
    ...sometimes(chance, 0.3, () => ({ ProjectionExpression: [expression.path(), expression.name('sk')].join(', ') })),
    ...sometimes(chance, 0.5, () => ({ Limit: 1 + chance.below(5) })),
    ...sometimes(chance, 0.5, () => ({ ScanIndexForward: chance.holds(0.5) })),
    ...sometimes(chance, 0.1, () => ({ ConsistentRead: true })),
  };
  return ['Query', { ...request, ...expression.placeholders() }];
};

const write = (chance: Chance, name: 'PutItem' | 'DeleteItem' | 'UpdateItem'): readonly [string, object] => {
  const expression = new Expression(chance);
  const UpdateExpression = name === 'UpdateItem' ? expression.update() : '';
  const returned =
    name === 'UpdateItem' ? ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] : ['NONE', 'ALL_OLD'];
  const request = {
    TableName,
    ...(name === 'PutItem' ? { Item: item(chance) } : { Key: key(chance) }),
    ...(UpdateExpression === '' ? {} : { UpdateExpression }),
    ...sometimes(chance, 0.4, () => ({ ConditionExpression: expression.condition() })),
    ...sometimes(chance, 0.7, () => ({ ReturnValues: chance.of(returned) })),
  };
  return [name, { ...request, ...expression.placeholders() }];
};

const get = (chance: Chance): readonly [string, object] => {
  const expression = new Expression(chance);
  const projection = sometimes(chance, 0.6, () => ({
    ProjectionExpression: [expression.path(), expression.path()].join(', '),
  }));
  return ['GetItem', { TableName, Key: key(chance), ...projection, ...expression.placeholders() }];
};

const scan = (chance: Chance): readonly [string, object] => {
  const expression = new Expression(chance);
  const filter = sometimes(chance, 0.7, () => ({ FilterExpression: expression.condition() }));
  return ['Scan', { TableName, ...filter, ...expression.placeholders() }];
};

const batchGet = (chance: Chance): readonly [string, object] => {
  const Keys = Array.from({ length: 1 + chance.below(4) }, () => key(chance));
  return ['BatchGetItem', { RequestItems: { [TableName]: { Keys } } }];
};

const batchWrite = (chance: Chance): readonly [string, object] => {
  const actions = Array.from({ length: 1 + chance.below(3) }, () =>
    chance.holds(0.7) ? { PutRequest: { Item: item(chance) } } : { DeleteRequest: { Key: key(chance) } },
  );
  return ['BatchWriteItem', { RequestItems: { [TableName]: actions } }];
};

const requestOf = (chance: Chance): readonly [string, object] =>
  chance.of([
    () => write(chance, 'PutItem'),
    () => write(chance, 'PutItem'),
    () => write(chance, 'UpdateItem'),
    () => write(chance, 'UpdateItem'),
    () => write(chance, 'DeleteItem'),
    () => get(chance),
    () => query(chance),
    () => query(chance),
    () => scan(chance),
    () => batchGet(chance),
    () => batchWrite(chance),
  ])();

const sets: ReadonlySet<string> = new Set(['SS', 'NS', 'BS']);

/** Returns a response without an order where DynamoDB has none: in sets, scans and batches. */
const unordered = (operation: string, answer: unknown): unknown => {
  const sorted = JSON.stringify(answer, (name, part: unknown) => {
    if (Array.isArray(part)) {
      const free = sets.has(name) || name === TableName || (operation === 'Scan' && name === 'Items');
      return free ? part.map((member) => JSON.stringify(sortKeys(member))).toSorted() : part;
    }
    return sortKeys(part);
  });
  return JSON.parse(sorted);
};

const sortKeys = (part: unknown): unknown =>
  typeof part !== 'object' || part === null || Array.isArray(part)
    ? part
    : Object.fromEntries(
        Object.entries(part)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, member]) => [name, sortKeys(member)]),
      );

const outcomeOf = async (call: CallTables, [operation, request]: readonly [string, object]): Promise<unknown> => {
  try {
    return unordered(operation, await call('us-east-1', operation, request));
  } catch (error) {
    return { error: error instanceof Error ? error.name.split('#').at(-1) : error };
  }
};

test(`${requests} random requests have the responses of another implementation`, { timeout: 600_000 }, async () => {
  const own = await runTables(':memory:', [things]);
  const other = await runDynalite('', [things]);
  const chance = new Chance(randomFrom(seed));
  const answered = new Map<string, number>();
  try {
    for (let at = 0; at < requests; at += 1) {
      let request: readonly [string, object] = requestOf(chance);
      for (;;) {
        const [ours, theirs] = [await outcomeOf(own.call, request), await outcomeOf(other.call, request)];
        assert.deepEqual(ours, theirs, `request ${at} of seed ${seed}: ${JSON.stringify(request)}`);
        const kind = `${request[0]} ${(ours as { error?: string }).error ?? 'ok'}`;
        answered.set(kind, (answered.get(kind) ?? 0) + 1);
        const next = (ours as { LastEvaluatedKey?: object }).LastEvaluatedKey;
        if (next === undefined) break;
        request = [request[0], { ...request[1], ExclusiveStartKey: next }];
      }
    }
  } finally {
    await own.close();
    await other.close();
  }
  if (process.env['TABLE_REQUESTS'] !== undefined) console.log(Object.fromEntries(answered));
});
