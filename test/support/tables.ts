import { serveTables, type ServedTables } from '../../scripts/support/run-tables.ts';
import type { TableDefinition } from '#local-cloud';
import { tableName, tables } from '../../shared/kernel/names.ts';

const string = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const;

const dueIndex = {
  IndexName: 'due',
  KeySchema: [
    { AttributeName: 'due_pk', KeyType: 'HASH' },
    { AttributeName: 'due_at', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
} as const;

/** All tables of the deployment `test`. */
const definitions = (Object.keys(tables) as (keyof typeof tables)[]).map((name): TableDefinition => ({
  name: tableName('test', name),
  region: 'us-east-1',
  attributes: ['pk', 'sk', ...(tables[name].due ? ['due_pk', 'due_at'] : [])].map(string),
  key: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  indexes: tables[name].due ? [dueIndex] : [],
  expiryAttribute: null,
}));

/** Opens all tables of the deployment `test` in memory. */
export const openTestTables = (): Promise<ServedTables> => serveTables(':memory:', definitions);
