import { createHash, randomInt } from 'node:crypto';
import { decodeTime, encodeTime, ulid } from 'ulid';

/** Prefixes of the identifiers that the service issues. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'idx'
  | 'job'
  | 'task'
  | 'file'
  | 'vsfb'
  | 'upload'
  | 'part'
  | 'crawl'
  | 'sched'
  | 'conn'
  | 'sync'
  | 'exp'
  | 'reb'
  | 'era'
  | 'eval'
  | 'key'
  | 'oc'
  | 'inv'
  | 'evt'
  | 'we'
  | 'req'
  | 'dlv'
  | 'rcp'
  | 'sess'
  | 'grant'
  | 'audit';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random source of ULIDs. Node buffers random numbers, while the library calls the system for each character. */
const random = (): number => randomInt(crockford.length) / crockford.length;

/** Creates an identifier: prefix, underscore, 26-character lower-case ULID that sorts by `at`. */
export const newId = (prefix: IdPrefix, at: Date): string => `${prefix}_${ulid(at.getTime(), random).toLowerCase()}`;

/**
 * Derives an identifier that a retry of the same step derives again.
 * The time part is `at`; the 80 random bits are the start of SHA-256 over the names.
 * Two different lists of names collide with probability 2^-80.
 */
export const derivedId = (prefix: IdPrefix, at: Date, ...names: readonly string[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest();
  const random = Array.from(digest.subarray(0, 16), (byte) => crockford[byte & 31]).join('');
  return `${prefix}_${encodeTime(at.getTime(), 10).toLowerCase()}${random}`;
};

/** Matches the identifiers with a prefix. */
export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9a-z]{26}$`);

/** Matches the names of aliases of indexes. None has the form of an identifier. */
export const aliasPattern = /^(?!idx_|[a-z]+_[0-9a-z]{26}$)[0-9a-z][0-9a-z_-]{0,62}$/;

/** Matches the names of golden sets. */
export const goldenSetPattern = /^[0-9a-z][0-9a-z_-]{0,62}$/;

/** Matches the names of stored credentials of sources. */
export const sourceCredentialsPattern = /^[0-9a-z][0-9a-z_-]{0,62}$/;

/** Matches what names an index: its identifier or an alias. */
export const indexNamePattern = new RegExp(`${idPattern('idx').source}|${aliasPattern.source}`);

/** Returns the time in an identifier. */
export const timeOf = (id: string): Date => new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()));
