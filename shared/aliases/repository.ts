import { textOf } from '../db/read-item.ts';
import { present } from '../db/condition.ts';
import type { Item } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';

/** A name of an index that can be moved to another index. */
export interface Alias {
  readonly name: string;
  readonly indexId: string;
  readonly createdAt: string;
  /** Time of the last change of its index. */
  readonly updatedAt: string;
}

export interface AliasReader {
  /** Returns the alias, strongly consistent; null if the organization has none with this name. */
  get(organizationId: string, name: string): Promise<Alias | null>;
  /** Lists aliases in order of name. */
  list(
    organizationId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly aliases: readonly Alias[]; readonly next: string | null }>;
  /** Returns the aliases of up to 100 indexes in order of name. */
  of(organizationId: string, indexIds: readonly string[]): Promise<readonly Alias[]>;
  count(organizationId: string): Promise<number>;
}

export interface AliasWriter extends AliasReader {
  /** Creates an alias, or moves it to another index, in one write. */
  put(organizationId: string, name: string, indexId: string, at: string): Promise<Alias>;
  /** Returns false if there is none. */
  delete(organizationId: string, name: string): Promise<boolean>;
}

/** Sort key of an alias beside the indexes of its organization. No path parameter contains `#`. */
const prefix = 'ALIAS#';

const aliasKey = (organizationId: string, name: string) => ({ pk: `ORG#${organizationId}`, sk: `${prefix}${name}` });

const toAlias = (item: Item): Alias => ({
  name: item.sk.slice(prefix.length),
  indexId: textOf(item, 'index_id') ?? '',
  createdAt: textOf(item, 'created_at') ?? '',
  updatedAt: textOf(item, 'updated_at') ?? '',
});

const openAliasReader = (runtime: Runtime): AliasReader => {
  const table = openTable(runtime, 'indexes');
  return {
    get: async (organizationId, name) => {
      const item = await table.get(aliasKey(organizationId, name));
      return item === null ? null : toAlias(item);
    },
    list: async (organizationId, { limit, after }) => {
      const last = after === null ? null : `${prefix}${after}`;
      const page = await table.query(`ORG#${organizationId}`, { prefix, limit, after: last });
      return { aliases: page.items.map(toAlias), next: page.next?.slice(prefix.length) ?? null };
    },
    of: async (organizationId, indexIds) => {
      const found = table.all(`ORG#${organizationId}`, { prefix, where: { index_id: { in: indexIds } } });
      return (await Array.fromAsync(found)).map(toAlias);
    },
    count: (organizationId) => table.count(`ORG#${organizationId}`, { prefix }),
  };
};

const openAliasWriter = (runtime: Runtime): AliasWriter => {
  const table = openTable(runtime, 'indexes');
  return {
    ...openAliasReader(runtime),
    put: async (organizationId, name, indexId, at) => {
      const change = { set: { index_id: indexId, updated_at: at }, setOnce: { created_at: at } };
      const item = await table.update(aliasKey(organizationId, name), change);
      if (item === null) throw new Error('an unconditional update was refused');
      return toAlias(item);
    },
    delete: (organizationId, name) => table.delete(aliasKey(organizationId, name), present),
  };
};

export const aliasesRead = capability<AliasReader>(['indexes.read'], openAliasReader);
export const aliasesWrite = capability<AliasWriter>(['indexes.read', 'indexes.write'], openAliasWriter);
