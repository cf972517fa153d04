import type { Key } from '../db/contracts.ts';
import type { ConnectionAddress } from './record.ts';

/** No run holds the connection. */
export const neverLeased = { leased_until: '0' } as const;

/** The address of a connection by its key. */
export const connectionAddressAt = ({ pk, sk }: Key): ConnectionAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, connectionId: sk };
};
