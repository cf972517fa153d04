import type { drive_v3 } from '@googleapis/drive';
import type { JsonObject } from '../../../kernel/json.ts';
import { googleCall, googleFault, googleStatus, isHidden, isSkippable, skipped } from './client.ts';
import { fileFields, isFolder, isShortcut, itemOf } from './drive-file.ts';
import { type DrivePlace, type DriveReading, findFile, placeOfFile, recall } from './drive-scope.ts';
import { walkOn } from './drive-walk.ts';
import { type ConnectorSource, failed, type SourceChange, SourceFault, type Step, type StepInput } from '../port.ts';

const changesPerPage = 50;

/** What Google's ids are made of: nothing else gets into a query. */
const isId = (text: string): boolean => /^[\w-]+$/.test(text);

const lost = (why: string): SourceFault => new SourceFault('state_lost', why);

/** Whether a change of a folder or a shortcut changes what is in the scope. */
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
  // What has left a log and can be seen elsewhere comes with its file.
  if (file === undefined) {
    if (await isForgotten(reading, place, fileId)) throw lost('a folder or a shortcut is gone');
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

/** A page of what has changed: first in the account's own log, then in that of each shared drive. */
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
      // The account may have ceased to be a member of the shared drive.
      if (log !== '' && isHidden(error)) throw lost('a shared drive is out of reach');
      const status = googleStatus(error);
      throw status === 400 || status === 404 || status === 410 ? lost('the place is too old') : error;
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
  // Before anything is read, so that no change falls between.
  const { data } = await changes.getStartPageToken({ supportsAllDrives: true }, call);
  const token = data.startPageToken ?? '';
  return { token, drives: {}, log: '', walk: { next: 0, frames: [] }, seen: '', targets: {} };
};

const step = async (reading: DriveReading, odd: readonly string[]): Promise<Step> => {
  const { state: before } = reading.input;
  if (before !== null && before['drives'] === undefined) throw lost('an earlier version kept the place');
  const kept = before as unknown as DrivePlace | null;
  if (kept !== null && kept.walk === null) return readChanges(reading, kept);
  const found = await walkOn(reading, kept ?? (await begin(reading))).catch((error: unknown) => {
    // The page of a list where the walk was left.
    const isStale = kept !== null && [400, 404, 410].includes(googleStatus(error) ?? 0);
    throw isStale ? lost('the place is too old') : error;
  });
  const told = kept === null ? odd : [];
  const changes = told.map((id) =>
    failed(`${id} in the scope is no id of Google Drive: take it from the address of the file or folder`),
  );
  const done = found.place.walk === null;
  // Interfaces are no JSON objects to the compiler.
  const state = found.place as unknown as JsonObject;
  const removesUnseen = done && found.place.isUnsure !== true;
  return { changes: [...changes, ...found.changes], state, done, removesUnseen, walked: done };
};

/** Google's name for the top of the account's own drive, which no file calls its parent. */
const rootAlias = 'root';

/** The same with the id of that folder in place of its name. */
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
 * Google Drive: each file of the scope is a document, also where a shortcut leads to it; Google's own documents are
 * exported. The first sync walks through the scope, each one after it reads what has changed; a change of a folder or a
 * shortcut of the scope makes it walk again.
 */
export const googleDriveSource = (rootUrl: string): ConnectorSource => ({
  step: async (input: StepInput) => {
    const { folders, files: named } = input.scope;
    const ids = [...folders, ...named];
    try {
      const call = googleCall(input.credentials, rootUrl);
      // Loaded where it is needed: whoever asks for consent does without.
      const { drive } = await import('@googleapis/drive');
      const { files, changes } = drive('v3');
      const reading = await withRoot({
        files,
        changes,
        call,
        input,
        now: input.now,
        looked: new Map(),
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
});
