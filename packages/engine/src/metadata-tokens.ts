import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import { expiryKey } from '../../../shared/kernel/row-metadata.ts';
import { type FilterValue, keyToken, valueTokens } from './filter-tokens.ts';

/** Levels of members, below a key of the metadata, that have a path. */
const maxMemberLevels = 8;

/** Settings of an index that decide what filters see of its metadata. */
export interface FilterSettings {
  readonly nonFilterableKeys: readonly string[];
}

/** Metadata of a row as filters see it. */
export interface MetadataTokens {
  readonly tokens: ReadonlySet<string>;
  /** Single numbers, by the token of their key. */
  readonly numbers: ReadonlyMap<string, number>;
}

const isComparable = (value: Json): value is FilterValue => !Array.isArray(value);

/** A value at a key or path of metadata. */
export interface MetadataValue {
  readonly path: string;
  readonly value: Json;
  /** Values that a filter compares with: those of a list, or the value itself. */
  readonly comparable: readonly FilterValue[];
  /** Whether the path leads through a list. */
  readonly isInList: boolean;
  /** Levels below a key of the metadata. */
  readonly level: number;
}

/** Returns a function that visits each value of metadata which filters see. A path may be visited several times. */
export const metadataVisitor = ({
  nonFilterableKeys,
}: FilterSettings): ((metadata: JsonObject, visit: (value: MetadataValue) => void) => void) => {
  const hidden = new Set(nonFilterableKeys);
  return (metadata, visit) => {
    const add = (path: string, value: Json, level: number, isInList: boolean): void => {
      if (hidden.has(path) && path !== expiryKey) return;
      const isList = Array.isArray(value);
      const members = isList ? (value as readonly Json[]) : [value];
      const comparable = members.filter((member) => isComparable(member));
      visit({ path, value, comparable, isInList, level });
      if (level === maxMemberLevels) return;
      for (const member of members) {
        if (!isObject(member)) continue;
        for (const [name, inner] of Object.entries(member))
          add(`${path}.${name}`, inner, level + 1, isInList || isList);
      }
    };
    for (const [key, value] of Object.entries(metadata)) add(key, value, 0, false);
  };
};

/** Returns a function that converts the metadata of rows to tokens. */
export const metadataTokens = (settings: FilterSettings): ((metadata: JsonObject) => MetadataTokens) => {
  const visitValues = metadataVisitor(settings);
  return (metadata) => {
    const tokens = new Set<string>();
    const numbers = new Map<string, number>();
    visitValues(metadata, ({ path, value, comparable, isInList }) => {
      const key = keyToken(path);
      // A key with a dot can have the path of a member. A path with several values is like a list: it has no range.
      if (typeof value === 'number' && !isInList && !tokens.has(key)) numbers.set(key, value);
      else numbers.delete(key);
      tokens.add(key);
      for (const member of comparable) for (const token of valueTokens(path, member)) tokens.add(token);
    });
    return { tokens, numbers };
  };
};
