import type { drive_v3 } from '@googleapis/drive';
import type { JsonObject } from '../../../kernel/json.ts';
import { googleCall, googleFault, googleStatus, isHidden, isSkippable, skipped } from './client.ts';
import { driveChoices } from './drive-choices.ts';
import { fileFields, isFolder, isShortcut, itemOf } from './drive-file.ts';
import { type DrivePlace, type DriveReading, findFile, placeOfFile, recall } from './drive-scope.ts';
import { walkOn } from './drive-walk.ts';
import { type ConnectorSource, failed, type SourceChange, SourceFault, type Step, type StepInput } from '../port.ts';

const changesPerPage = 50;

/** Characters of Google's ids. Others never get into a query. */
const isId = (text: string): boolean => /^[\w-]+$/.test(text);

const lost = (why: string): SourceFault => new SourceFault('state_lost', why);

/** Whether a change of a folder or shortcut changes the scope. */
const movesScope = (
  { folders, named }: DriveReading,
  { seen, targets }: DrivePlace,
  file: drive_v3.Schema$File,
): boolean => {
  const id = file.id ?? '';
  if (seen === null) return true;
  const recalled = recall(seen, file);
  if (recalled !== 'unknown') return recalled === 'changed';
  if (folders.has(id) || named.has(id) || Object.hasOwn(targets, id)) return true;
  return (file.parents ?? []).some((parent) => recall(seen, { id: parent }) !== 'unknown');
};

const isForgotten = async ({ input }: DriveReading, { seen }: DrivePlace, id: string): Promise<boolean> =>
  seen === null ? !(await input.known(id, null)).includes(id) : recall(seen, { id }) !== 'unknown';

const changeOf = async (
  reading: DriveReading,
  place: DrivePlace,
  { fileId, file }: drive_v3.Schema$Change,
): Promise<SourceChange | null> => {
  if (typeof fileId !== 'string') return null;
  // A file that left a log and is visible elsewhere is listed with its data.
  if (file === undefined) {
    if (await isForgotten(reading, place, fileId)) throw lost('a folder or a shortcut was removed');
    return { kind: 'remove', externalId: fileId };
  }
  if (isFolder(file) || isShortcut(file)) {
    if (movesScope(reading, place, file)) throw lost('a folder or a shortcut has changed');
    return null;
  }
  const at = file.trashed === true ? null : await placeOfFile(reading, place, file);
  const item = at === null ? null : itemOf(reading, file, at);
  return item === null ? { kind: 'remove', externalId: fileId } : { kind: 'upsert', item };
};

/** Reads a page of changes: first of the account's own log, then of each shared drive. */
const readChanges = async (reading: DriveReading, place: DrivePlace): Promise<Step> => {
  const { drives, log } = place;
  const token = log === '' ? place.token : (drives[log] ?? '');
  const { data } = await reading.changes
    .list(
      {
        pageToken: token,
        ...(log === '' ? {} : { driveId: log }),
        includeCorpusRemovals: true,
        pageSize: changesPerPage,
        fields: `nextPageToken,newStartPageToken,changes(removed,fileId,file(${fileFields}))`,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        includeRemoved: true,
      },
      reading.call,
    )
    .catch((error: unknown) => {
      // The account may no longer be a member of the shared drive.
      if (log !== '' && isHidden(error)) throw lost('a shared drive is not accessible');
      const status = googleStatus(error);
      throw status === 400 || status === 404 || status === 410 ? lost('the position has expired') : error;
    });
  const changes: SourceChange[] = [];
  for (const change of data.changes ?? []) {
    const found = await changeOf(reading, place, change).catch((error: unknown) => {
      const id = change.fileId ?? '';
      if (!isSkippable(error, reading.input)) throw error;
      return skipped(`a folder above the file ${change.file?.name ?? id}`, id);
    });
    if (found !== null) changes.push(found);
  }
  const reached = data.nextPageToken ?? data.newStartPageToken ?? token;
  const logs = ['', ...Object.keys(drives).toSorted()];
  const following = typeof data.nextPageToken === 'string' ? log : logs[logs.indexOf(log) + 1];
  const tokens = log === '' ? { token: reached } : { drives: { ...drives, [log]: reached } };
  const state = { ...place, ...tokens, log: following ?? '' } as unknown as JsonObject;
  return { changes, state, done: following === undefined, removesUnseen: false };
};

const begin = async ({ changes, call }: DriveReading): Promise<DrivePlace> => {
  // Read before any file, so that no change is missed.
  const { data } = await changes.getStartPageToken({ supportsAllDrives: true }, call);
  const token = data.startPageToken ?? '';
  return { token, drives: {}, log: '', walk: { next: 0, frames: [] }, seen: '', targets: {} };
};

const step = async (reading: DriveReading, odd: readonly string[]): Promise<Step> => {
  const { state: before } = reading.input;
  const kept = before as unknown as DrivePlace | null;
  if (kept !== null && kept.walk === null) return readChanges(reading, kept);
  const found = await walkOn(reading, kept ?? (await begin(reading))).catch((error: unknown) => {
    // The page token at which the walk stopped has expired.
    const isStale = kept !== null && [400, 404, 410].includes(googleStatus(error) ?? 0);
    throw isStale ? lost('the position has expired') : error;
  });
  const reported = kept === null ? odd : [];
  const changes = reported.map((id) =>
    failed(`${id} in the scope is no id of Google Drive: copy it from the URL of the file or folder`),
  );
  const done = found.place.walk === null;
  // TypeScript does not treat interfaces as JSON objects.
  const state = found.place as unknown as JsonObject;
  const removesUnseen = done && found.place.isUnsure !== true;
  return { changes: [...changes, ...found.changes], state, done, removesUnseen, walked: done };
};

/** Google's alias of the root folder of the account's drive, which no file lists as its parent. */
const rootAlias = 'root';

/** Replaces the alias of the root folder by its id. */
const withRoot = async (reading: DriveReading): Promise<DriveReading> => {
  const { folders, labels } = reading;
  if (!folders.has(rootAlias)) return reading;
  const id = (await findFile(reading, rootAlias))?.id ?? rootAlias;
  const label = labels[rootAlias];
  return {
    ...reading,
    folders: new Set([...folders].map((folder) => (folder === rootAlias ? id : folder))),
    labels: label === undefined ? labels : { ...labels, [id]: label },
  };
};

/**
 * Source of Google Drive: each file of the scope is a document, also through a shortcut; Google's own documents are
 * exported.
 * The first sync walks the scope, later ones read changes. A change of a folder or shortcut in the scope starts another
 * walk.
 */
export const googleDriveSource = (rootUrl: string): ConnectorSource => ({
  step: async (input: StepInput) => {
    const { folders, files: named } = input.scope;
    const ids = [...folders, ...named];
    try {
      const call = googleCall(input.credentials, rootUrl);
      // Loaded lazily, since a consent does not need it.
      const { drive } = await import('@googleapis/drive');
      const { files, changes } = drive('v3');
      const reading = await withRoot({
        files,
        changes,
        call,
        input,
        now: input.now,
        requested: new Map(),
        folders: new Set(folders.filter(isId)),
        named: new Set(named.filter(isId)),
        labels: input.scope.folder_labels,
      });
      return await step(
        reading,
        ids.filter((id) => !isId(id)),
      );
    } catch (error) {
      throw googleFault(error, 'Google Drive', input.now);
    }
  },
  choices: (input) => driveChoices(rootUrl, input),
});
