import type { SourceAddress } from '../platform/object-sources/capability.ts';
import { readObjectUri } from '../platform/object-sources/object-uri.ts';
import type { ImportRecord } from './record.ts';

/** Converts an import to the address and credentials of its object. Both were validated when the import was created. */
export const sourceOf = ({ provider, uri }: ImportRecord, credentials: unknown): SourceAddress => {
  const read = readObjectUri(provider, uri);
  if ('problem' in read) throw new Error(`a stored import has an address that cannot be read: ${read.problem}`);
  return { provider, place: read.place, access: credentials } as SourceAddress;
};
