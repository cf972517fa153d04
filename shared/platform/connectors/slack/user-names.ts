import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.ts';
import { hourMs } from '../../../kernel/durations.ts';
import { isStuck, type StepInput } from '../port.ts';
import { slackCode } from './client.ts';
import { type SlackMessage, usersOf } from './transcript.ts';

const cacheMs = 6 * hourMs;
const maxNames = 20_000;

/** Cache of user names in this process, by token and user. */
export type NameCache = LRUCache<string, string>;

export const nameCache = (clock: Clock): NameCache => {
  const perf = { now: () => clock.now().getTime() };
  return new LRUCache<string, string>({ max: maxNames, ttl: cacheMs, ttlResolution: 0, perf });
};

/** Error codes of names that Slack never reveals. */
const withheld: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible', 'missing_scope']);

interface Asking {
  readonly client: WebClient;
  readonly input: StepInput;
  /** Prefix of the token's cache keys. */
  readonly token: string;
  readonly cache: NameCache;
}

const nameOf = async ({ client, input, token, cache }: Asking, user: string): Promise<string> => {
  const key = `${token} ${user}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  let name = user;
  try {
    const { user: found } = await client.users.info({ user });
    const { display_name: shown = '', real_name: real = '' } = found?.profile ?? {};
    name = shown || real || found?.name || user;
  } catch (error) {
    const code = slackCode(error);
    // The id replaces a name that does not exist, and temporarily one that Slack fails to return.
    if (code === null || (!withheld.has(code) && !isStuck(input))) throw error;
    if (!withheld.has(code)) return user;
  }
  cache.set(key, name);
  return name;
};

/** Returns the names of all authors and mentioned users. */
export const namesIn = async (
  asking: Asking,
  messages: readonly SlackMessage[],
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  for (const user of new Set(messages.flatMap(usersOf))) names.set(user, await nameOf(asking, user));
  return names;
};
