import { createHash } from 'node:crypto';

/** The version of a content of which the source tells none: the same exactly where the content is. */
export const contentVersion = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');
