import { hash } from 'node:crypto';

/** Metadata key of the list of tokens that filters compare. */
export const tokensKey = 't';
/** Metadata key of the text, which is searchable and not filterable. */
export const textKey = 'text';
/** Metadata key of the row's metadata as JSON, not filterable. */
export const metadataKey = 'meta';
/** Metadata key of the row's origin and version as JSON, not filterable. */
export const originKey = 'row';

/** Token of every row, so that no row lacks the list of tokens. */
export const anyRow = '*';

/** Returns the token of the rows of a job. It begins with no bracket, so no metadata has it. */
export const jobToken = (jobId: string): string => `job:${jobId}`;

/** Returns the id of the job of such a token. */
export const jobOfToken = (token: string): string => token.slice('job:'.length);

const maxTokenLength = 32;
const digestLength = 22;

/** Returns the stored form of a token. A long one is replaced by 132 bits of its digest, since a row has 2 KB for all. */
export const storedToken = (token: string): string =>
  token.length <= maxTokenLength ? token : `#${hash('sha256', token, 'base64url').slice(0, digestLength)}`;

const maxKeyLength = 60;

/** Returns the metadata key of a single number, by the token of its key. */
export const numberKey = (token: string): string =>
  token.length < maxKeyLength ? `n${token}` : `n${hash('sha256', token, 'base64url')}`;
