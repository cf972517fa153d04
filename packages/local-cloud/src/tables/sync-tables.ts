import { promisify } from 'node:util';
import createTable from 'dynalite/actions/createTable.js';
import engine, { type IndexRecord, type Item, type Section, type Store, type TableRecord } from 'dynalite/db/index.js';
import type { TableDefinition } from './table-definition.ts';

const get = <Value>(section: Section<Value>, key: string): Promise<Value | undefined> =>
  new Promise((resolve, reject) => {
    section.get(key, (error, value) =>
      error === null || error.name === 'NotFoundError' ? resolve(value) : reject(error),
    );
  });

const put = <Value>(section: Section<Value>, key: string, value: Value): Promise<void> =>
  new Promise((resolve, reject) => {
    section.put(key, value, (error) => (error === null ? resolve() : reject(error)));
  });

const activeIndexes = ({ indexes }: TableDefinition): readonly IndexRecord[] =>
  indexes.map((index) => ({ ...index, IndexStatus: 'ACTIVE' }));

const create = async (store: Store, definition: TableDefinition): Promise<void> => {
  const { indexes, attributes, key, name } = definition;
  await promisify(createTable)(store, {
    TableName: name,
    AttributeDefinitions: attributes,
    KeySchema: key,
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  });
};

const describeKey = (schema: TableRecord['KeySchema'], attributes: TableRecord['AttributeDefinitions']): string =>
  schema
    .map(({ AttributeName, KeyType }) => {
      const type = attributes.find((attribute) => attribute.AttributeName === AttributeName)?.AttributeType;
      return `${AttributeName} ${type} ${KeyType}`;
    })
    .join(', ');

const describeIndexes = (
  indexes: readonly Pick<IndexRecord, 'IndexName' | 'KeySchema' | 'Projection'>[],
  attributes: TableRecord['AttributeDefinitions'],
): string =>
  indexes
    .map(({ IndexName, KeySchema, Projection }) => {
      const { ProjectionType, NonKeyAttributes = [] } = Projection;
      return [IndexName, describeKey(KeySchema, attributes), ProjectionType, ...NonKeyAttributes].join(' ');
    })
    .toSorted()
    .join('; ');

/** Rebuilds the entries of every index from the items. */
const rebuildIndexes = async (store: Store, table: TableRecord): Promise<void> => {
  const indexes = table.GlobalSecondaryIndexes ?? [];
  for (const { IndexName } of indexes) {
    const prefix = `index-global~${table.TableName}~${IndexName}~`;
    await store.db.clear({ gte: prefix, lt: `${prefix}\xFF` });
  }
  const items = store.getItemDb(table.TableName).createValueStream({}) as AsyncIterable<Item>;
  for await (const item of items) {
    for (const entry of engine.getIndexActions(indexes, null, item, table).puts) {
      await put(store.getIndexDb('global', table.TableName, entry.index), entry.key, entry.item);
    }
  }
};

const syncTable = async (store: Store, definition: TableDefinition, repairIndexes: boolean): Promise<void> => {
  const existing = await get(store.tableDb, definition.name);
  if (existing === undefined) {
    await create(store, definition);
  }
  const stored = existing ?? (await get(store.tableDb, definition.name));
  if (stored === undefined) {
    throw new Error(`table ${definition.name} could not be created`);
  }
  const keyBefore = describeKey(stored.KeySchema, stored.AttributeDefinitions);
  const keyNow = describeKey(definition.key, definition.attributes);
  if (keyBefore !== keyNow) {
    throw new Error(
      `table ${definition.name} holds data under the key ${keyBefore}, not ${keyNow}: use a new data directory`,
    );
  }
  // A table stays in the state CREATING if the process ends right after its creation.
  const { GlobalSecondaryIndexes: storedIndexes = [], ...record } = stored;
  const active: TableRecord = {
    ...record,
    TableStatus: 'ACTIVE',
    AttributeDefinitions: definition.attributes,
    ...(definition.indexes.length === 0 ? {} : { GlobalSecondaryIndexes: activeIndexes(definition) }),
  };
  const indexesChanged =
    describeIndexes(storedIndexes, stored.AttributeDefinitions) !==
    describeIndexes(definition.indexes, definition.attributes);
  if (indexesChanged || stored.TableStatus !== 'ACTIVE') {
    await put(store.tableDb, definition.name, active);
  }
  if (existing !== undefined && (indexesChanged || repairIndexes)) {
    await rebuildIndexes(store, active);
  }
};

/** Changes the stored tables to those of the templates. Rejects if the primary key of a table has changed. */
export const syncTables = async (
  store: Store,
  definitions: readonly TableDefinition[],
  repairIndexes: boolean,
): Promise<void> => {
  for (const definition of definitions) {
    await syncTable(store, definition, repairIndexes);
  }
};
