import type { gmail_v1 } from '@googleapis/gmail';
import { inParallel } from '../../../kernel/in-parallel.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import {
  type GoogleCall,
  googleCall,
  googleContentFault,
  googleFault,
  googleStatus,
  isSkippable,
  maxBytes,
  skipped,
  tooLong,
} from './client.ts';
import {
  type ConnectorSource,
  type SourceChange,
  SourceFault,
  type SourceItem,
  type Step,
  type StepInput,
} from '../port.ts';
import { fileNameOf, textAt } from '../read-text.ts';

const messagesPerStep = 50;
const atOnce = 5;
const user = { userId: 'me' };

/** Labels of messages that are no sent or received mail, or that are to be deleted. */
const leftOut: ReadonlySet<string> = new Set(['TRASH', 'SPAM', 'DRAFT', 'CHAT']);

const isOwnLabel = (id: string): boolean => id.startsWith('Label_');

interface Reading {
  readonly users: gmail_v1.Resource$Users;
  readonly call: GoogleCall;
  readonly input: StepInput;
  /** Names of user labels by id. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Start of the scope in milliseconds; 0 for all mail. */
const afterMs = ({ scope }: StepInput): number => (scope.gmail_after === null ? 0 : Date.parse(scope.gmail_after));

const lost = (): SourceFault => new SourceFault('state_lost', 'Gmail no longer knows the sync position');

const headerOf = ({ payload }: gmail_v1.Schema$Message, name: string): string =>
  payload?.headers?.find((header) => header.name?.toLowerCase() === name)?.value ?? '';

const contentOf = async (
  { users, call, input }: Reading,
  message: gmail_v1.Schema$Message,
): Promise<Uint8Array | null> => {
  // The size of base64 is a third larger.
  if ((message.sizeEstimate ?? 0) > maxBytes) throw tooLong();
  try {
    const { data } = await users.messages.get({ ...user, id: message.id ?? '', format: 'raw' }, call);
    return Buffer.from(data.raw ?? '', 'base64url');
  } catch (error) {
    if (googleStatus(error) === 404) return null;
    throw googleContentFault(error, 'Gmail', input.now);
  }
};

const itemOf = (reading: Reading, id: string, message: gmail_v1.Schema$Message): SourceItem => {
  const subject = headerOf(message, 'subject');
  const labels = (message.labelIds ?? []).flatMap((label) => reading.labels.get(label) ?? []).toSorted();
  const from = headerOf(message, 'from');
  return {
    externalId: id,
    // Messages cannot be edited.
    version: id,
    filename: fileNameOf(subject, '.eml'),
    contentType: 'message/rfc822',
    content: () => contentOf(reading, message),
    title: subject === '' ? null : subject,
    url: `https://mail.google.com/mail/#all/${id}`,
    metadata: { ...(from === '' ? {} : { from }), ...(labels.length === 0 ? {} : { labels }) },
  };
};

/** Reads a message. Returns its removal if it does not exist or is out of scope. */
const readMessage = async (reading: Reading, id: string): Promise<SourceChange> => {
  const { users, call, input } = reading;
  const asked = { ...user, id, format: 'metadata', metadataHeaders: ['Subject', 'From'] };
  try {
    const { data } = await users.messages.get(asked, call);
    const isOut = (data.labelIds ?? []).some((label) => leftOut.has(label));
    if (isOut || Number(data.internalDate ?? 0) < afterMs(input)) return { kind: 'remove', externalId: id };
    return { kind: 'upsert', item: itemOf(reading, id, data) };
  } catch (error) {
    if (isSkippable(error, input)) return skipped(`the message ${id}`, id);
    if (googleStatus(error) !== 404) throw error;
    return { kind: 'remove', externalId: id };
  }
};

const readMessages = (reading: Reading, ids: readonly string[]): Promise<readonly SourceChange[]> =>
  inParallel([...new Set(ids)], atOnce, (id) => readMessage(reading, id));

const isStale = (error: unknown): boolean => [400, 404, 410].includes(googleStatus(error) ?? 0);

/** Reads a page of all mail, newest first. */
const readAll = async (reading: Reading, state: JsonObject | null): Promise<Step> => {
  const { users, call, input } = reading;
  // Read before any message, so that no change is missed.
  const historyId =
    state === null ? ((await users.getProfile(user, call)).data.historyId ?? '') : textAt(state, 'history_id');
  const since = afterMs(input);
  const query = ['-in:drafts', '-in:chats', ...(since === 0 ? [] : [`after:${Math.floor(since / 1000) - 1}`])].join(
    ' ',
  );
  const cursor = state === null ? '' : textAt(state, 'cursor');
  const asked = { ...user, q: query, maxResults: messagesPerStep, ...(cursor === '' ? {} : { pageToken: cursor }) };
  const { data } = await users.messages.list(asked, call).catch((error: unknown) => {
    throw state !== null && isStale(error) ? lost() : error;
  });
  const changes = await readMessages(
    reading,
    (data.messages ?? []).flatMap(({ id }) => id ?? []),
  );
  const next = data.nextPageToken ?? '';
  if (next !== '')
    return { changes, state: { history_id: historyId, cursor: next }, done: false, removesUnseen: false };
  return { changes, state: { history_id: historyId, read: true }, done: true, removesUnseen: true };
};

const touched = (history: gmail_v1.Schema$History): readonly string[] => {
  const labelled = [...(history.labelsAdded ?? []), ...(history.labelsRemoved ?? [])].filter(({ labelIds }) =>
    (labelIds ?? []).some((label) => leftOut.has(label) || isOwnLabel(label)),
  );
  return [...(history.messagesAdded ?? []), ...(history.messagesDeleted ?? []), ...labelled].flatMap(
    ({ message }) => message?.id ?? [],
  );
};

/** Reads a page of the history since the last sync. */
const readHistory = async (reading: Reading, state: JsonObject): Promise<Step> => {
  const { users, call } = reading;
  const [historyId, cursor] = [textAt(state, 'history_id'), textAt(state, 'cursor')];
  const asked = {
    ...user,
    startHistoryId: historyId,
    maxResults: messagesPerStep,
    ...(cursor === '' ? {} : { pageToken: cursor }),
  };
  const { data } = await users.history.list(asked, call).catch((error: unknown) => {
    throw isStale(error) ? lost() : error;
  });
  const changes = await readMessages(reading, (data.history ?? []).flatMap(touched));
  const next = data.nextPageToken ?? '';
  if (next !== '') return { changes, state: { ...state, cursor: next }, done: false, removesUnseen: false };
  return { changes, state: { history_id: data.historyId ?? historyId, read: true }, done: true, removesUnseen: false };
};

/** Returns the names of user labels by id. */
const readLabels = async (users: gmail_v1.Resource$Users, call: GoogleCall): Promise<ReadonlyMap<string, string>> => {
  const { data } = await users.labels.list(user, call);
  const own = (data.labels ?? []).filter(({ id }) => isOwnLabel(id ?? ''));
  return new Map(own.map(({ id, name }) => [id ?? '', name ?? '']));
};

/**
 * Source of Gmail: each message is a document with its attachments, except drafts, chats, spam and trash.
 * The first sync reads all mail of the scope, later ones read the history. Source: "Synchronizing clients with Gmail".
 */
export const gmailSource = (rootUrl: string): ConnectorSource => ({
  step: async (input: StepInput) => {
    try {
      const call = googleCall(input.credentials, rootUrl);
      const { gmail } = await import('@googleapis/gmail');
      const { users } = gmail('v1');
      const reading = { users, call, input, labels: await readLabels(users, call) };
      const { state } = input;
      return state?.['read'] === true ? await readHistory(reading, state) : await readAll(reading, state);
    } catch (error) {
      throw googleFault(error, 'Gmail', input.now);
    }
  },
});
