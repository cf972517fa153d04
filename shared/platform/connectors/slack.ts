import { contentVersion } from './content-version.ts';
import type { WebClient } from '@slack/web-api';
import { type ConnectorSource, failed, type SourceChange, type Step, type StepInput } from './port.ts';
import { fileNameOf, textAt } from './read-text.ts';
import { beforeDay, goOn, nextChannel, type Place, placeOf } from './slack-place.ts';
import { pageSize, readDays } from './slack-days.ts';
import { channelProblem, slackClient, slackCode, slackFault } from './slack-client.ts';
import { beginsThread, dayOf, isReply, isWritten, type SlackMessage, transcriptOf, usersOf } from './slack-text.ts';

const threadsPerStep = 10;

interface Reading {
  readonly client: WebClient;
  readonly input: StepInput;
  readonly names: Map<string, string>;
}

const learnNames = async ({ client, names }: Reading, messages: readonly SlackMessage[]): Promise<void> => {
  const unknown = new Set(messages.flatMap(usersOf).filter((id) => !names.has(id)));
  for (const user of unknown) {
    try {
      const { user: found } = await client.users.info({ user });
      const { display_name: shown = '', real_name: real = '' } = found?.profile ?? {};
      names.set(user, shown || real || found?.name || user);
    } catch (error) {
      // Without the permission to read names, ids have to do.
      if (slackCode(error) === null) throw error;
      names.set(user, user);
    }
  }
};

interface Transcript {
  readonly channel: string;
  readonly name: string;
  /** `day:2026-01-31` or `thread:1700000000.000100` */
  readonly part: string;
  readonly title: string;
  readonly messages: readonly SlackMessage[];
}

const itemOf = ({ channel, name, part, title, messages }: Transcript, names: Map<string, string>): SourceChange => {
  const text = transcriptOf(messages, names);
  const first = messages.map(({ ts = '' }) => ts).toSorted()[0] ?? '';
  return {
    kind: 'upsert',
    item: {
      externalId: `${channel}:${part}`,
      version: contentVersion(text),
      filename: fileNameOf(`${name} ${title}`, '.txt'),
      contentType: 'text/plain',
      content: () => Promise.resolve(new TextEncoder().encode(text)),
      title: `#${name}: ${title}`,
      url: `https://slack.com/archives/${channel}/p${first.replace('.', '')}`,
      metadata: { channel: name, channel_id: channel },
    },
  };
};

/** Days and threads that the index has and the channel, in the days that were read, has not any more. */
const vanished = async (
  { input }: Reading,
  channel: string,
  span: { readonly from: string | null; readonly to: string | null },
  seen: ReadonlySet<string>,
): Promise<readonly SourceChange[]> => {
  // A first sync ends with a sweep, which finds them all.
  if (span.from === null) return [];
  const lists = [
    await input.known(`${channel}:day:`, `${channel}:day:${dayOf(span.from)}`),
    await input.known(`${channel}:thread:`, `${channel}:thread:${span.from}`),
  ];
  const inSpan = (id: string): boolean => {
    const at = id.slice(id.lastIndexOf(':') + 1);
    return span.to === null || (at.includes('-') ? at < dayOf(span.to) : Number(at) < Number(span.to));
  };
  return lists
    .flat()
    .filter((id) => inSpan(id) && !seen.has(id))
    .map((externalId) => ({ kind: 'remove', externalId }));
};

const nameOf = async ({ client }: Reading, channel: string): Promise<string> =>
  (await client.conversations.info({ channel })).channel?.name ?? channel;

const readChannel = async (reading: Reading, channel: string, place: Place): Promise<Step> => {
  const name = await nameOf(reading, channel);
  const { messages, before } = await readDays(reading, channel, place);
  const threads = messages.filter(beginsThread).flatMap(({ ts }) => (ts === undefined ? [] : [ts]));
  const plain = messages.filter((message) => isWritten(message) && !beginsThread(message) && !isReply(message));
  await learnNames(reading, plain);
  const days = [...Map.groupBy(plain, ({ ts = '0' }) => dayOf(ts))];
  const upserts = days.map(([day, ofDay]) =>
    itemOf({ channel, name, part: `day:${day}`, title: day, messages: ofDay }, reading.names),
  );
  const seen = new Set([
    ...days.map(([day]) => `${channel}:day:${day}`),
    ...threads.map((ts) => `${channel}:thread:${ts}`),
  ]);
  const from = before === null ? place.oldest : beforeDay(dayOf(before));
  const span = { from: place.oldest === null ? null : from, to: place.before };
  const changes = [...upserts, ...(await vanished(reading, channel, span, seen))];
  if (threads.length > 0) return goOn({ ...place, before, threads, ended: before === null }, changes);
  return goOn(before === null ? nextChannel(place) : { ...place, before }, changes);
};

const readThread = async (reading: Reading, channel: string, name: string, ts: string): Promise<SourceChange> => {
  const messages: SlackMessage[] = [];
  let cursor: string | undefined;
  do {
    const page = await reading.client.conversations.replies({
      channel,
      ts,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    messages.push(...(page.messages ?? []));
    cursor = page.response_metadata?.next_cursor;
  } while (cursor !== undefined && cursor !== '');
  const kept = messages.filter(isWritten);
  const part = `thread:${ts}`;
  if (kept.length === 0) return { kind: 'remove', externalId: `${channel}:${part}` };
  await learnNames(reading, kept);
  return itemOf({ channel, name, part, title: `thread of ${dayOf(ts)}`, messages: kept }, reading.names);
};

const readThreads = async (reading: Reading, channel: string, place: Place): Promise<Step> => {
  const name = await nameOf(reading, channel);
  const changes: SourceChange[] = [];
  for (const ts of place.threads.slice(0, threadsPerStep)) {
    try {
      changes.push(await readThread(reading, channel, name, ts));
    } catch (error) {
      // An app that may ask once a minute gets further by one thread each time.
      if (changes.length > 0 && slackFault(error, reading.input.now).retryAfterSeconds !== null) break;
      if (slackCode(error) !== 'thread_not_found') throw error;
      changes.push({ kind: 'remove', externalId: `${channel}:thread:${ts}` });
    }
  }
  const threads = place.threads.slice(changes.length);
  return goOn(threads.length === 0 && place.ended ? nextChannel(place) : { ...place, threads }, changes);
};

const step = async (reading: Reading): Promise<Step> => {
  const { input } = reading;
  const channels = [...new Set(input.scope.slack_channels)].toSorted();
  const place = placeOf(input);
  const channel = channels[place.channel];
  if (channel === undefined) return { changes: [], state: { synced: true }, done: true, sweep: place.oldest === null };
  try {
    return place.threads.length > 0
      ? await readThreads(reading, channel, place)
      : await readChannel(reading, channel, place);
  } catch (error) {
    const problem = channelProblem(error);
    if (problem === null) throw error;
    const message = `The channel ${channel} ${problem}`;
    return goOn(nextChannel(place), [failed(message)]);
  }
};

/**
 * Slack: the messages of a day that nobody answered are one document of their channel, each thread is another. The first
 * sync reads everything; each one after it the last week.
 */
export const slackSource = (slackApiUrl: string): ConnectorSource => {
  const namesByToken = new Map<string, Map<string, string>>();
  return {
    step: async (input: StepInput) => {
      const token = textAt(input.credentials, 'token');
      const names = namesByToken.get(token) ?? new Map<string, string>();
      namesByToken.set(token, names);
      try {
        return await step({ client: slackClient(token, slackApiUrl), input, names });
      } catch (error) {
        throw slackFault(error, input.now);
      }
    },
  };
};
