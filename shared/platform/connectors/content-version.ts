import { createHash } from 'node:crypto';

/** Returns a version for content whose source has none: a hash of the content. */
export const contentVersion = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');
