import type { drive_v3 } from '@googleapis/drive';
import type { JsonObject } from '../../kernel/json.ts';
import { googleCall, googleFault, googleStatus } from './google-client.ts';
import { fileFields, isFolder, isShortcut, itemOf } from './google-drive-file.ts';
import { type DrivePlace, type DriveReading, placeOfFile, recall } from './google-drive-place.ts';
import { walkOn } from './google-drive-walk.ts';
import { type ConnectorSource, type SourceChange, SourceFault, type Step, type StepInput } from './port.ts';

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
  { fileId, removed, file }: drive_v3.Schema$Change,
): Promise<SourceChange | null> => {
  if (typeof fileId !== 'string') return null;
  if (removed === true || file === undefined) {
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

/** A page of what has changed anywhere in the account's drives. */
const readChanges = async (reading: DriveReading, place: DrivePlace): Promise<Step> => {
  const { data } = await reading.changes
    .list(
      {
        pageToken: place.token,
        pageSize: changesPerPage,
        fields: `nextPageToken,newStartPageToken,changes(removed,fileId,file(${fileFields}))`,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        includeRemoved: true,
      },
      reading.call,
    )
    .catch((error: unknown) => {
      const status = googleStatus(error);
      throw status === 400 || status === 404 || status === 410 ? lost('the place is too old') : error;
    });
  const changes: SourceChange[] = [];
  for (const change of data.changes ?? []) {
    const found = await changeOf(reading, place, change);
    if (found !== null) changes.push(found);
  }
  const token = data.nextPageToken ?? data.newStartPageToken ?? place.token;
  const done = typeof data.nextPageToken !== 'string';
  return { changes, state: { ...place, token } as unknown as JsonObject, done, sweep: false };
};

const begin = async ({ changes, call }: DriveReading): Promise<DrivePlace> => {
  // Before anything is read, so that no change falls between.
  const { data } = await changes.getStartPageToken({ supportsAllDrives: true }, call);
  return { token: data.startPageToken ?? '', walk: { next: 0, frames: [] }, seen: '', targets: {} };
};

const step = async (reading: DriveReading, odd: readonly string[]): Promise<Step> => {
  const kept = reading.input.state as unknown as DrivePlace | null;
  if (kept !== null && kept.walk === null) return readChanges(reading, kept);
  const found = await walkOn(reading, kept ?? (await begin(reading))).catch((error: unknown) => {
    // The page of a list where the walk was left.
    const isStale = kept !== null && [400, 404, 410].includes(googleStatus(error) ?? 0);
    throw isStale ? lost('the place is too old') : error;
  });
  const told = kept === null ? odd : [];
  const changes = told.map((id): SourceChange => {
    const message = `${id} in the scope is no id of Google Drive: take it from the address of the file or folder`;
    return { kind: 'failed', externalId: null, message, passing: false };
  });
  const done = found.place.walk === null;
  // Interfaces are no JSON objects to the compiler.
  const state = found.place as unknown as JsonObject;
  return { changes: [...changes, ...found.changes], state, done, sweep: done };
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
      const reading = {
        files,
        changes,
        call,
        input,
        now: input.now,
        looked: new Map(),
        folders: new Set(folders.filter(isId)),
        named: new Set(named.filter(isId)),
      };
      return await step(
        reading,
        ids.filter((id) => !isId(id)),
      );
    } catch (error) {
      throw googleFault(error, 'Google Drive', input.now);
    }
  },
});
