import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { contentVersion } from '../content-version.ts';
import type { WebClient } from '@slack/web-api';
import { type ConnectorSource, failed, type SourceChange, type Step, type StepInput } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { fileNameOf, textAt } from '../read-text.ts';
import { beforeDay, goOn, nextChannel, type Place, placeOf } from './sync-state.ts';
import { type FileAccess, fileChange, filesOf } from './attachments.ts';
import { slackChoices } from './choices.ts';
import { readDays } from './channel-history.ts';
import { listMessages, pageSize, type Part } from './list-messages.ts';
import { type NameCache, nameCache, namesIn } from './user-names.ts';
import { channelProblem, slackClient, slackCode, slackFault } from './client.ts';
import { beginsThread, dayOf, isReply, isWritten, type SlackMessage, transcriptOf } from './transcript.ts';

const threadsPerStep = 10;

interface Reading {
  readonly client: WebClient;
  readonly input: StepInput;
  readonly token: string;
  readonly cache: NameCache;
  readonly access: FileAccess;
}

interface Transcript {
  readonly channel: string;
  readonly name: string;
  /** `day:2026-01-31` or `thread:1700000000.000100` */
  readonly part: string;
  readonly title: string;
  readonly messages: readonly SlackMessage[];
}

const itemOf = (
  { channel, name, part, title, messages }: Transcript,
  names: ReadonlyMap<string, string>,
): SourceChange => {
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

/** Returns removals of indexed days and threads that no longer exist in the days that were read. */
const removedDocuments = async (
  { input }: Reading,
  channel: string,
  span: { readonly from: string | null; readonly to: string | null },
  seen: ReadonlySet<string>,
): Promise<readonly SourceChange[]> => {
  // A first sync removes all unseen documents at its end.
  if (span.from === null) return [];
  const { from } = span;
  const listed = (kind: string) => input.known(`${channel}:${kind}:`, `${channel}:${kind}:${from}`);
  const lists = [
    await input.known(`${channel}:day:`, `${channel}:day:${dayOf(from)}`),
    await listed('thread'),
    ...(input.scope.attachments ? [await listed('file'), await listed('thread-file')] : []),
  ];
  const timeOf = (id: string): string => id.split(':')[2] ?? '';
  const inSpan = (id: string): boolean => {
    const at = timeOf(id);
    return span.to === null || (at.includes('-') ? at < dayOf(span.to) : Number(at) < Number(span.to));
  };
  // Files of a thread are read with it.
  const isSeen = (id: string): boolean =>
    seen.has(id) || (id.startsWith(`${channel}:thread-file:`) && seen.has(`${channel}:thread:${timeOf(id)}`));
  return lists
    .flat()
    .filter((id) => inSpan(id) && !isSeen(id))
    .map((externalId) => ({ kind: 'remove', externalId }));
};

/** Converts the files of messages to documents. `idOf`: id without the file. */
const filesIn = (
  { access, input }: Reading,
  { channel, name }: Pick<Transcript, 'channel' | 'name'>,
  messages: readonly SlackMessage[],
  idOf: (message: SlackMessage) => string,
): readonly SourceChange[] => {
  if (!input.scope.attachments) return [];
  return messages.flatMap((message) =>
    filesOf(message).map((file) => {
      const externalId = `${channel}:${idOf(message)}:${file.id}`;
      return fileChange(access, input, file, { externalId, channel, name });
    }),
  );
};

const idsOf = (changes: readonly SourceChange[]): readonly string[] =>
  changes.flatMap((change) => (change.kind === 'upsert' ? [change.item.externalId] : []));

const nameOf = async ({ client }: Reading, channel: string): Promise<string> =>
  (await client.conversations.info({ channel })).channel?.name ?? channel;

const readChannel = async (reading: Reading, channel: string, place: Place): Promise<Step> => {
  const name = await nameOf(reading, channel);
  const batch = await readDays(reading, channel, place);
  if ('part' in batch) return goOn({ ...place, ...batch }, []);
  const { messages, before, cut } = batch;
  const threads = messages.filter(beginsThread).flatMap(({ ts }) => (ts === undefined ? [] : [ts]));
  const plain = messages.filter((message) => isWritten(message) && !beginsThread(message) && !isReply(message));
  const names = await namesIn(reading, plain);
  const alone = messages.filter((message) => !beginsThread(message) && !isReply(message));
  const files = filesIn(reading, { channel, name }, alone, ({ ts = '0' }) => `file:${ts}`);
  const days = [...Map.groupBy(plain, ({ ts = '0' }) => dayOf(ts))];
  const upserts = days.map(([day, ofDay]) =>
    itemOf({ channel, name, part: `day:${day}`, title: day, messages: ofDay }, names),
  );
  const seen = new Set([
    ...days.map(([day]) => `${channel}:day:${day}`),
    ...threads.map((ts) => `${channel}:thread:${ts}`),
    ...idsOf(files),
  ]);
  const from = before === null ? place.oldest : beforeDay(dayOf(before));
  const span = { from: place.oldest === null ? null : from, to: place.before };
  const others =
    cut === null
      ? await removedDocuments(reading, channel, span, seen)
      : [tooMany(`${cut} in #${name}`, `${channel}:day:${cut}`)];
  const changes = [...upserts, ...files, ...others];
  if (threads.length > 0) return goOn({ ...place, before, threads, ended: before === null, part: null }, changes);
  return goOn(before === null ? nextChannel(place) : { ...place, before, part: null }, changes);
};

const tooMany = (what: string, place: string): SourceChange =>
  failed(`There are more messages of ${what} than Slack's rate limit allows to read: some are left out`, {
    place,
    isTransient: true,
  });

/** Returns removals of indexed files that a thread no longer has. */
const removedFiles = async (
  { input }: Reading,
  channel: string,
  ts: string,
  files: readonly SourceChange[],
): Promise<readonly SourceChange[]> => {
  if (!input.scope.attachments) return [];
  const seen = new Set(idsOf(files));
  const known = await input.known(`${channel}:thread-file:${ts}:`, null);
  return known.filter((id) => !seen.has(id)).map((externalId) => ({ kind: 'remove', externalId }));
};

/** Reads a thread. Returns its listed messages if a rate limit interrupts it. */
const readThread = async (
  reading: Reading,
  channel: string,
  name: string,
  { ts, part }: { readonly ts: string; readonly part: string | null },
): Promise<readonly SourceChange[] | Part> => {
  const listed = await listMessages(
    { part, now: reading.input.now },
    (kept, cursor) => {
      const last = kept
        .map((message) => message.ts ?? '0')
        .toSorted()
        .at(-1);
      const from = last === undefined ? {} : { oldest: last };
      return reading.client.conversations.replies({ channel, ts, limit: pageSize, ...from, ...cursor });
    },
    () => false,
  );
  if ('part' in listed) return listed;
  const kept = listed.messages.filter(isWritten);
  const id = `thread:${ts}`;
  const files = filesIn(reading, { channel, name }, listed.messages, () => `thread-file:${ts}`);
  const changes = [...files, ...(listed.end === 'cut' ? [] : await removedFiles(reading, channel, ts, files))];
  if (kept.length === 0) return [{ kind: 'remove', externalId: `${channel}:${id}` }, ...changes];
  const title = `thread of ${dayOf(ts)}`;
  const item = itemOf({ channel, name, part: id, title, messages: kept }, await namesIn(reading, kept));
  const cut = listed.end === 'cut' ? [tooMany(`a ${title} in #${name}`, `${channel}:${id}`)] : [];
  return [item, ...changes, ...cut];
};

const readThreads = async (reading: Reading, channel: string, place: Place): Promise<Step> => {
  const name = await nameOf(reading, channel);
  const changes: SourceChange[] = [];
  let [left, part] = [place.threads, place.part];
  for (const ts of place.threads.slice(0, threadsPerStep)) {
    try {
      const found = await readThread(reading, channel, name, { ts, part });
      if ('part' in found) return goOn({ ...place, threads: left, ...found }, changes);
      changes.push(...found);
    } catch (error) {
      // An app that may send one request a minute reads one more thread each time.
      if (changes.length > 0 && slackFault(error, reading.input.now).retryAfterSeconds !== null) break;
      if (slackCode(error) !== 'thread_not_found') throw error;
      changes.push(
        { kind: 'remove', externalId: `${channel}:thread:${ts}` },
        ...(await removedFiles(reading, channel, ts, [])),
      );
    }
    left = left.slice(1);
    part = null;
  }
  return goOn(left.length === 0 && place.ended ? nextChannel(place) : { ...place, threads: left, part }, changes);
};

const step = async (reading: Reading): Promise<Step> => {
  const { input } = reading;
  const channels = [...new Set(input.scope.slack_channels)].toSorted();
  const place = placeOf(input);
  const channel = channels[place.channel];
  if (channel === undefined)
    return { changes: [], state: { synced: true }, done: true, removesUnseen: place.oldest === null };
  const at = `channel:${channel}`;
  try {
    const read = place.threads.length > 0 ? readThreads : readChannel;
    return { ...(await read(reading, channel, place)), reached: [at] };
  } catch (error) {
    const problem = channelProblem(error);
    if (problem === null) throw error;
    const message = `The channel ${channel} ${problem}`;
    return goOn(nextChannel(place), [failed(message, { place: at })]);
  }
};

/**
 * Source of Slack: the messages of a channel without replies form one document for each day, and each thread forms
 * another.
 * The first sync reads everything; later ones read the last week.
 */
export const slackSource = (slackApiUrl: string, get: PublicGet, clock: Clock = systemClock): ConnectorSource => {
  const cache = nameCache(clock);
  return {
    step: async (input: StepInput) => {
      const token = textAt(input.credentials, 'token');
      try {
        const access = { get, slackApiUrl };
        return await step({ client: slackClient(token, slackApiUrl), input, token, cache, access });
      } catch (error) {
        throw slackFault(error, input.now);
      }
    },
    choices: (input) => slackChoices(slackApiUrl, input),
  };
};
