import { createHash } from 'node:crypto';
import { absent, present } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import type { BucketProvider } from '../platform/object-sources/object-uri.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { seal, unseal } from '../kernel/seal.ts';
import type { ConnectorProvider } from './schemas.ts';

export type OauthProvider = Exclude<ConnectorProvider, 'custom_api' | 'confluence' | BucketProvider>;

/** A consent that was started. */
export interface PendingConsent {
  /** Id of the user, key or OAuth client that started it and that alone may confirm it. */
  readonly initiator?: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly connectionId: string;
  readonly provider: OauthProvider;
  readonly name: string;
  /** Whether an existing connection gets new credentials; absent for a new connection. */
  readonly reopens?: boolean;
  /** PKCE verifier, which proves that this service requested the code. */
  readonly verifier: string;
}

/** A consent that was given, with its credentials. */
export interface GivenConsent extends PendingConsent {
  readonly credentials: unknown;
}

export interface Stored<Content> {
  readonly content: Content;
  readonly expiresAt: Date;
}

/** Contents stored under the hash of a state or confirmation code; the code itself is not stored. */
interface ConsentStore<Content> {
  /** Stores a content; does nothing if it exists. */
  add(value: string, content: Content, expiresAt: Date): Promise<void>;
  /** Null if it does not exist or has expired. */
  find(value: string): Promise<Stored<Content> | null>;
  /** Returns and removes a content; null if it does not exist or has expired. */
  take(value: string): Promise<Stored<Content> | null>;
  remove(value: string): Promise<void>;
}

const digest = (name: string, value: string): Buffer => createHash('sha256').update(`${name}:${value}`).digest();

// The table alone reveals neither the value nor the content.
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
