import { isObject } from '../../../kernel/json.ts';
import { type SourceChange, SourceFault, type StepInput } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { fileNameOf, splitFileName, textAt } from '../read-text.ts';
import type { SlackMessage } from './transcript.ts';

const mebibyte = 1024 * 1024;
const maxBytes = 128 * mebibyte;
const downloadTimeoutMs = 180_000;

/** A file that Slack stores. Source: Slack, "File object". */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly size: number;
  readonly url: string;
  readonly permalink: string;
}

/** Modes of files that are stored elsewhere, deleted, or hidden by the plan of the workspace. */
const notStored: ReadonlySet<string> = new Set(['external', 'tombstone', 'hidden_by_limit']);

/** Messages of these subtypes may have files. */
const written: ReadonlySet<string> = new Set(['', 'bot_message', 'file_share', 'thread_broadcast']);

/** Returns the files of a message, without pictures and films. */
export const filesOf = ({ subtype = '', files = [] }: SlackMessage): readonly SlackFile[] => {
  if (!written.has(subtype)) return [];
  return files.filter(isObject).flatMap((file) => {
    const [id, mimetype, url] = [textAt(file, 'id'), textAt(file, 'mimetype'), textAt(file, 'url_private')];
    if (notStored.has(textAt(file, 'mode')) || /^(?:image|video)\//.test(mimetype) || !/^\w+$/.test(id)) return [];
    const name = textAt(file, 'name') || id;
    return [{ id, name, mimetype, size: Number(file['size'] ?? 0), url, permalink: textAt(file, 'permalink') }];
  });
};

/** Whether an address is one of Slack, which may get the token. */
const isOfSlack = (url: string, slackApiUrl: string): boolean => {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const isCloud = parsed.protocol === 'https:' && parsed.hostname.endsWith('.slack.com');
  return isCloud || parsed.origin === new URL(slackApiUrl).origin;
};

/** How files are downloaded. */
export interface FileAccess {
  readonly get: PublicGet;
  readonly slackApiUrl: string;
}

const download = async (
  { get, slackApiUrl }: FileAccess,
  { credentials, now }: StepInput,
  { url, size }: SlackFile,
): Promise<Uint8Array | null> => {
  if (size > maxBytes)
    throw new SourceFault('unreadable', `it has more than ${maxBytes / mebibyte} MiB, the maximum size`);
  if (!isOfSlack(url, slackApiUrl)) throw new SourceFault('unreadable', 'it is not stored at Slack');
  const headers = { authorization: `Bearer ${textAt(credentials, 'token')}` };
  const limits = { maxBytes, timeoutMs: downloadTimeoutMs, followsRedirects: false };
  // Without the permission files:read, Slack redirects to a page to sign in.
  const denied = { deniedStatuses: [302, 303, 403], provider: 'Slack' };
  return (await get({ url, method: 'GET', headers, ...limits, ...denied }, now))?.bytes ?? null;
};

/** Converts a file of a message to a document. `externalId`: contains the message, so that removals are found. */
export const fileChange = (
  access: FileAccess,
  input: StepInput,
  file: SlackFile,
  { externalId, channel, name }: { readonly externalId: string; readonly channel: string; readonly name: string },
): SourceChange => {
  const [base, ending] = splitFileName(file.name);
  return {
    kind: 'upsert',
    item: {
      externalId,
      // A file of Slack never changes.
      version: file.id,
      filename: fileNameOf(base, ending),
      contentType: file.mimetype === '' ? 'application/octet-stream' : file.mimetype,
      content: () => download(access, input, file),
      sizeBytes: file.size,
      title: file.name,
      url: file.permalink === '' ? null : file.permalink,
      metadata: { channel: name, channel_id: channel },
    },
  };
};
