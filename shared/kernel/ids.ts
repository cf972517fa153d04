import { createHash, randomInt } from 'node:crypto';
import { decodeTime, encodeTime, ulid } from 'ulid';

/** Prefix of every identifier that the service gives out. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'idx'
  | 'job'
  | 'task'
  | 'crawl'
  | 'conn'
  | 'key'
  | 'oc'
  | 'inv'
  | 'evt'
  | 'we'
  | 'req'
  | 'dlv'
  | 'rcp'
  | 'sess';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/** Node draws many random numbers at a time, while the library by itself asks the system for each character. */
const random = (): number => randomInt(crockford.length) / crockford.length;

/** A fresh identifier: prefix, underscore, 26-character lower-case ULID that sorts by `at`. */
export const newId = (prefix: IdPrefix, at: Date): string => `${prefix}_${ulid(at.getTime(), random).toLowerCase()}`;

/**
 * The identifier that a repeat of the same step derives again: the time part is `at`, the 80 random bits are
 * the head of SHA-256 over the names. Two different lists of names never share one (to 2^-80).
 */
export const derivedId = (prefix: IdPrefix, at: Date, ...names: readonly string[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest();
  const random = Array.from(digest.subarray(0, 16), (byte) => crockford[byte & 31]).join('');
  return `${prefix}_${encodeTime(at.getTime(), 10).toLowerCase()}${random}`;
};

/** Matches the identifiers with a prefix. */
export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9a-z]{26}$`);

/** The moment that an identifier was made for. */
export const timeOf = (id: string): Date => new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()));
