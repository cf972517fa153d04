import { isSkippable, skipped } from './client.ts';
import { type DriveFile, fileFields, isFolder, isShortcut, itemOf, type Placement } from './drive-file.ts';
import {
  below,
  type DrivePlace,
  type DriveReading,
  type Frame,
  frameOf,
  hasOwnPlace,
  labelOf,
  findFile,
  targetOf,
  withDrive,
  withSeen,
  withTarget,
} from './drive-scope.ts';
import { failed, type SourceChange } from '../port.ts';

const pageSize = 50;

/** Position with the changes and folders that were found. */
interface Found {
  readonly place: Pick<DrivePlace, 'seen' | 'targets' | 'drives'>;
  readonly changes: readonly SourceChange[];
  readonly folders: Frame['below'];
}

const changesOf = (reading: DriveReading, file: DriveFile, place: Placement): readonly SourceChange[] => {
  const item = itemOf(reading, file, place);
  return item === null ? [] : [{ kind: 'upsert', item }];
};

/** Follows a shortcut, unless its target is in the scope itself or another shortcut led there before. */
const follow = async (
  reading: DriveReading,
  known: Found['place'],
  shortcut: DriveFile,
  at: Placement,
): Promise<Found> => {
  const id = shortcut.shortcutDetails?.targetId ?? '';
  const target = await targetOf(reading, shortcut);
  const place = await withDrive(reading, { ...known, seen: withSeen(known.seen, shortcut) }, target ?? {});
  const nothing = { place, changes: [], folders: [] };
  if (id === '' || Object.hasOwn(place.targets, id)) return nothing;
  const leadsIn = target !== null && isFolder(target);
  const spare = target !== null && (await hasOwnPlace(reading, place.targets, target));
  if (spare && leadsIn) return nothing;
  const name = shortcut.name ?? '';
  // Targets that do not exist or are in the trash are stored too, since they may return.
  const targets = withTarget(place.targets, id, { ...(leadsIn ? below(at, name) : at), spare });
  if (targets === null) {
    const message = `The scope has too many shortcuts, so ${name} is not followed: add its target to the scope`;
    return { ...nothing, changes: spare ? [] : [failed(message, { place: shortcut.id ?? '' })] };
  }
  const next = { ...nothing, place: { ...place, targets } };
  if (target === null || target.trashed === true || spare) return next;
  return leadsIn ? { ...next, folders: [[id, name]] } : { ...next, changes: changesOf(reading, target, at) };
};

/** Follows a shortcut, and skips it if Google fails repeatedly at a target that is no folder. */
const followOn = (reading: DriveReading, known: Found['place'], shortcut: DriveFile, at: Placement): Promise<Found> =>
  follow(reading, known, shortcut, at).catch((error: unknown) => {
    const { targetId, targetMimeType } = shortcut.shortcutDetails ?? {};
    // The contents of a folder that is not followed are unknown.
    if (!isSkippable(error, reading.input) || isFolder({ mimeType: targetMimeType ?? null })) throw error;
    const changes = [skipped(`what the shortcut ${shortcut.name} leads to`, targetId ?? '')];
    return { place: known, changes, folders: [] };
  });

/** Processes one entry of a folder's list. */
const readRow = async (
  reading: DriveReading,
  known: Found['place'],
  file: DriveFile,
  at: Placement,
): Promise<Found> => {
  const id = file.id ?? '';
  const nothing = { place: known, changes: [], folders: [] };
  if (reading.named.has(id) || reading.folders.has(id)) return nothing;
  if (isShortcut(file)) return followOn(reading, known, file, at);
  const target = Object.hasOwn(known.targets, id) ? known.targets[id] : undefined;
  if (target !== undefined && !target.spare) return nothing;
  if (isFolder(file)) return { ...nothing, folders: [[id, file.name ?? '']] };
  return { ...nothing, changes: changesOf(reading, file, at) };
};

/** Lists a page of the current folder and stores its remaining position. */
const listPage = async (reading: DriveReading, place: DrivePlace, frame: Frame, under: readonly Frame[]) => {
  const { data } = await reading.files.list(
    {
      q: `'${frame.id}' in parents and trashed = false`,
      // A stable order makes the first of several shortcuts the same each time.
      orderBy: 'createdTime',
      pageSize,
      fields: `nextPageToken,incompleteSearch,files(${fileFields})`,
      supportsAllDrives: true,
      includeItemsFromAllDrives: true,
      // Otherwise Google lists only files of a shared drive that the account has opened.
      ...(frame.drive === undefined ? {} : { corpora: 'drive', driveId: frame.drive }),
      ...(frame.cursor === null ? {} : { pageToken: frame.cursor }),
    },
    reading.call,
  );
  let known: Found['place'] = place;
  const changes: SourceChange[] = [];
  const folders: [string, string][] = [];
  for (const file of data.files ?? []) {
    const found = await readRow(reading, known, file, frame.place);
    known = found.place;
    changes.push(...found.changes);
    folders.push(...found.folders.map(([id, name]): [string, string] => [id, name]));
  }
  const left = { ...frame, cursor: data.nextPageToken ?? null, below: folders };
  const frames = left.cursor === null && folders.length === 0 ? under : [...under, left];
  const unsure = data.incompleteSearch === true ? { isUnsure: true } : {};
  return { changes, place: { ...place, ...known, ...unsure, walk: { next: place.walk?.next ?? 0, frames } } };
};

/** Starts with a subfolder of the current folder. */
const descend = async (reading: DriveReading, place: DrivePlace, frame: Frame, under: readonly Frame[]) => {
  const [[id, name] = ['', ''], ...others] = frame.below;
  const left = { ...frame, below: others };
  const kept = left.cursor === null && others.length === 0 ? under : [...under, left];
  const folder = await findFile(reading, id).catch((error: unknown) => {
    if (!isSkippable(error, reading.input)) throw error;
    // Uses the data of the list.
    return { id, name, trashed: false };
  });
  // It was moved or deleted during the walk; the change log contains that.
  if (folder === null || folder.trashed === true)
    return { changes: [], place: { ...place, walk: { next: place.walk?.next ?? 0, frames: kept } } };
  const known = { ...place, seen: withSeen(place.seen, folder) };
  return listPage(reading, known, frameOf(known, { ...folder, id }, below(frame.place, name)), kept);
};

const outOfReach = (what: string, id: string): SourceChange =>
  failed(`The ${what} ${id} is not accessible: share it with the connected account, or remove it from the scope`, {
    place: id,
  });

/** Reads a file that the scope names, or its target. */
const readNamed = async (reading: DriveReading, before: DrivePlace, id: string) => {
  const file = await findFile(reading, id).catch((error: unknown) => {
    if (!isSkippable(error, reading.input)) throw error;
    return 'failing' as const;
  });
  if (file === 'failing') {
    // An unindexed item may be a shortcut with an unknown target.
    const isUnsure = before.isUnsure === true || !(await reading.input.known(id, null)).includes(id);
    return { changes: [skipped(`the file ${id}`, id)], place: { ...before, isUnsure } };
  }
  if (file === null) return { changes: [outOfReach('file', id)], place: before };
  const place = await withDrive(reading, before, file);
  if (file.trashed === true) return { changes: [], place };
  if (isFolder(file)) return { changes: [failed(`${id} is a folder: add it to the folders of the scope`)], place };
  const at = { label: labelOf(reading, id), folder: '' };
  if (!isShortcut(file)) return { changes: changesOf(reading, file, at), place };
  const found = await followOn(reading, place, file, at);
  const frame = { id: '', place: at, cursor: null, below: found.folders };
  const frames = found.folders.length === 0 ? [] : [frame];
  return { changes: found.changes, place: { ...place, ...found.place, walk: { next: place.walk?.next ?? 0, frames } } };
};

const readRoot = async (reading: DriveReading, before: DrivePlace, id: string) => {
  const folder = await findFile(reading, id);
  if (folder === null) return { changes: [outOfReach('folder', id)], place: before };
  const place = await withDrive(reading, before, folder);
  if (!isFolder(folder)) return { changes: [failed(`${id} is no folder: add it to the files of the scope`)], place };
  const known = { ...place, seen: withSeen(place.seen, folder) };
  if (folder.trashed === true) return { changes: [], place: known };
  const at = below({ label: labelOf(reading, id), folder: '' }, folder.name ?? '');
  return listPage(reading, known, frameOf(known, { ...folder, id }, at), []);
};

/** Runs a step of the walk through the scope; `walk` is null after the last. */
export const walkOn = async (
  reading: DriveReading,
  place: DrivePlace,
): Promise<{ readonly changes: readonly SourceChange[]; readonly place: DrivePlace }> => {
  const { next, frames } = place.walk ?? { next: 0, frames: [] };
  const top = frames.at(-1);
  if (top !== undefined) {
    const under = frames.slice(0, -1);
    return top.below.length > 0 ? descend(reading, place, top, under) : listPage(reading, place, top, under);
  }
  const files = [...reading.named].toSorted();
  const folders = [...reading.folders].toSorted();
  const onward = { ...place, walk: { next: next + 1, frames: [] } };
  const [file, folder] = [files[next], folders[next - files.length]];
  if (file !== undefined) return readNamed(reading, onward, file);
  return folder === undefined ? { changes: [], place: { ...place, walk: null } } : readRoot(reading, onward, folder);
};
