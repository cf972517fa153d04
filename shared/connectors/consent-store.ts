import { createHash } from 'node:crypto';
import { absent, present } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal, unseal } from '../kernel/seal.ts';
import type { ConnectorProvider } from './schemas.ts';

export type OauthProvider = Exclude<ConnectorProvider, 'custom_api'>;

/** A consent that was begun. */
export interface PendingConsent {
  /** Id of the user, key or OAuth client that began it and alone may confirm it. */
  readonly initiator?: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly connectionId: string;
  readonly provider: OauthProvider;
  readonly name: string;
  /** Whether the connection exists, and is to get other credentials; absent: it does not. */
  readonly reopens?: boolean;
  /** Proves to the provider that the code is redeemed by the service that asked for it (PKCE). */
  readonly verifier: string;
}

/** A consent that was given, and what it opens. */
export interface GivenConsent extends PendingConsent {
  readonly credentials: unknown;
}

export interface Stored<Content> {
  readonly content: Content;
  readonly expiresAt: Date;
}

/** Contents stored under a state or a confirmation code, which itself is not stored. */
interface ConsentStore<Content> {
  /** Without effect where it is there already. */
  add(value: string, content: Content, expiresAt: Date): Promise<void>;
  /** Null where there is none, or not any more. */
  find(value: string): Promise<Stored<Content> | null>;
  /** Finds the content of a value and removes it; null where there is none, or not any more. */
  take(value: string): Promise<Stored<Content> | null>;
  remove(value: string): Promise<void>;
}

const digest = (name: string, value: string): Buffer => createHash('sha256').update(`${name}:${value}`).digest();

// The table alone gives neither the value nor the content.
const keyOf = (value: string) => ({ pk: `CONSENT#${digest('id', value).toString('hex')}`, sk: 'consent' });

const openConsents = <Content>(runtime: Runtime): ConsentStore<Content> => {
  const table = openTable(runtime, 'connectors');
  const find: ConsentStore<Content>['find'] = async (value) => {
    const { pk, sk } = keyOf(value);
    const item = await table.get({ pk, sk });
    if (item === null || (item['expires_at'] as string) < runtime.clock.now().toISOString()) return null;
    const content = JSON.parse(unseal(item['sealed'] as string, digest('key', value), pk)) as Content;
    return { content, expiresAt: new Date(item['expires_at'] as string) };
  };
  return {
    find,
    add: async (value, content, expiresAt) => {
      const { pk, sk } = keyOf(value);
      const sealed = seal(JSON.stringify(content), digest('key', value), pk);
      const expires = { expires_at: expiresAt.toISOString(), expires_at_epoch: epochSecondsAfter(expiresAt) };
      await table.put({ pk, sk, sealed, ...expires }, absent);
    },
    take: async (value) => {
      const found = await find(value);
      return found !== null && (await table.delete(keyOf(value), present)) ? found : null;
    },
    remove: async (value) => {
      await table.delete(keyOf(value));
    },
  };
};

const storing = ['connectors.read', 'connectors.write'] as const;
export const pendingConsents = capability<ConsentStore<PendingConsent>>(storing, openConsents);
export const givenConsents = capability<ConsentStore<GivenConsent>>(storing, openConsents);
