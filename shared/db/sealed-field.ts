import { randomUUID } from 'node:crypto';
import type { Runtime } from '../kernel/capability.ts';
import type { TableName } from '../kernel/names.ts';
import { seal, unseal } from '../kernel/seal.ts';
import { absent, type Condition } from './condition.ts';
import type { Change, Item, Key, Table } from './contracts.ts';
import { membersOf, textOf } from './read-item.ts';
import { openTable } from './table.ts';

/*
 * A sealed field is an attribute with ciphertext (AES-256-GCM). Its key is in the table `secrets`, which no function of
 * the API can read. The first key has the name of the item. Each replacement has a key with a name of its own, which the
 * item contains.
 */

/** Returns the name of the key of a sealed field. */
export const sealKeyOf = (item: Item, field: string): Key => ({
  pk: item.pk,
  sk: textOf(item, `${field}_key`) ?? item.sk,
});

/** Returns every key that may exist for a sealed field. A replacement that crashed may have left some. */
export const sealKeysOf = (item: Item, field: string): readonly Key[] => {
  const made = membersOf(item, `${field}_keys`);
  return [...new Set([item.sk, sealKeyOf(item, field).sk, ...made])].map((sk) => ({ pk: item.pk, sk }));
};

/** Condition: the key of the field has not changed. */
export const sameSealKey = (known: Item, field: string): Condition => {
  const name = textOf(known, `${field}_key`);
  return { [`${field}_key`]: name === null ? { exists: false } : { eq: name } };
};

/** Deletes keys. Keys of an item may be deleted again once no new ones can be created. */
export const deleteSealKeys = async (secrets: Table, names: readonly Key[]): Promise<void> => {
  for (const { pk, sk } of names) await secrets.delete({ pk, sk });
};

/** Context in which a value is sealed: the key of its item. */
const contextOf = ({ pk, sk }: Key): string => JSON.stringify({ pk, sk });

/** Seals the value of a new item, with the key of that item's name. `secret`: 32 random bytes. */
export const sealFirst = (key: Key, value: unknown, secret: Buffer): string =>
  seal(JSON.stringify(value), secret, contextOf(key));

/** Returns the value of a sealed field; null if there is none, or its key was deleted. */
export const openSealed = async (secrets: Table, item: Item, field: string): Promise<unknown> => {
  const sealed = textOf(item, field);
  const kept = sealed === null ? null : await secrets.get(sealKeyOf(item, field));
  if (sealed === null || kept === null) return null;
  return JSON.parse(unseal(sealed, Buffer.from(kept['key'] as string, 'base64'), contextOf(item))) as unknown;
};

/** New value of a sealed field. */
export interface SealedReplacement {
  readonly field: string;
  readonly value: unknown;
  /** 32 random bytes. */
  readonly secret: Buffer;
  /** Context of the field; default: the key of the item. */
  readonly context?: string;
  /** Condition under which the item can be changed at all. */
  readonly isThere: Condition;
}

/**
 * Replaces a sealed value together with its key and other attributes, and then deletes the old key. Null if the item is
 * gone, or was changed meanwhile.
 */
export const replaceSealed = async (
  runtime: Runtime,
  at: { readonly table: TableName; readonly key: Key },
  { field, value, secret, context = contextOf(at.key), isThere }: SealedReplacement,
  change: Change,
): Promise<Item | null> => {
  const table = openTable(runtime, at.table);
  const secrets = openTable(runtime, 'secrets');
  const name = { ...at.key, sk: `${at.key.sk}#${randomUUID()}` };
  // The name is stored first, so that deleting the item finds the key if this run crashes.
  const known = await table.update(at.key, { include: { [`${field}_keys`]: [name.sk] }, condition: isThere });
  if (known === null) return null;
  const others = sealKeysOf(known, field).filter(({ sk }) => sk !== name.sk);
  await secrets.put({ ...name, key: secret.toString('base64') }, absent);
  const changed = await table.update(at.key, {
    ...change,
    set: { ...change.set, [field]: seal(JSON.stringify(value), secret, context), [`${field}_key`]: name.sk },
    condition: { ...change.condition, ...sameSealKey(known, field) },
  });
  const left = changed === null ? [name] : others;
  await deleteSealKeys(secrets, left);
  await table.update(at.key, { exclude: { [`${field}_keys`]: left.map(({ sk }) => sk) }, condition: isThere });
  return changed;
};
