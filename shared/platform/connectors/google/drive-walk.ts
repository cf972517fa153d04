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

/** What of the drive is known, with what was found while it was learnt. */
interface Found {
  readonly place: Pick<DrivePlace, 'seen' | 'targets' | 'drives'>;
  readonly changes: readonly SourceChange[];
  readonly folders: Frame['below'];
}

const changesOf = (reading: DriveReading, file: DriveFile, place: Placement): readonly SourceChange[] => {
  const item = itemOf(reading, file, place);
  return item === null ? [] : [{ kind: 'upsert', item }];
};

/** What a shortcut leads to, unless it has a place of its own or another shortcut led there before. */
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
  // Also what is not there now, or in the trash: it may come back.
  const targets = withTarget(place.targets, id, { ...(leadsIn ? below(at, name) : at), spare });
  if (targets === null) {
    const message = `The shortcut ${name} is not followed, there are too many: put what they lead to into the scope itself`;
    return { ...nothing, changes: spare ? [] : [failed(message, { place: shortcut.id ?? '' })] };
  }
  const next = { ...nothing, place: { ...place, targets } };
  if (target === null || target.trashed === true || spare) return next;
  return leadsIn ? { ...next, folders: [[id, name]] } : { ...next, changes: changesOf(reading, target, at) };
};

/** The same; where Google fails again and again at what is no folder, without it. */
const followOn = (reading: DriveReading, known: Found['place'], shortcut: DriveFile, at: Placement): Promise<Found> =>
  follow(reading, known, shortcut, at).catch((error: unknown) => {
    const { targetId, targetMimeType } = shortcut.shortcutDetails ?? {};
    // Of a folder that is not followed nobody knows what is in it.
    if (!isSkippable(error, reading.input) || isFolder({ mimeType: targetMimeType ?? null })) throw error;
    const changes = [skipped(`what the shortcut ${shortcut.name} leads to`, targetId ?? '')];
    return { place: known, changes, folders: [] };
  });

/** What one row of a folder's list comes to. */
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

/** Lists a page of the folder on top, and puts what is left of it back. */
const listPage = async (reading: DriveReading, place: DrivePlace, frame: Frame, under: readonly Frame[]) => {
  const { data } = await reading.files.list(
    {
      q: `'${frame.id}' in parents and trashed = false`,
      // The first of several shortcuts to one file is the same each time.
      orderBy: 'createdTime',
      pageSize,
      fields: `nextPageToken,incompleteSearch,files(${fileFields})`,
      supportsAllDrives: true,
      includeItemsFromAllDrives: true,
      // Else Google lists of a shared drive what the account has opened.
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

/** Begins with a folder below the one on top. */
const descend = async (reading: DriveReading, place: DrivePlace, frame: Frame, under: readonly Frame[]) => {
  const [[id, name] = ['', ''], ...others] = frame.below;
  const left = { ...frame, below: others };
  const kept = left.cursor === null && others.length === 0 ? under : [...under, left];
  const folder = await findFile(reading, id).catch((error: unknown) => {
    if (!isSkippable(error, reading.input)) throw error;
    // As its list told of it.
    return { id, name, trashed: false };
  });
  // It was moved or taken away while the walk was under way; the changes tell of it.
  if (folder === null || folder.trashed === true)
    return { changes: [], place: { ...place, walk: { next: place.walk?.next ?? 0, frames: kept } } };
  const known = { ...place, seen: withSeen(place.seen, folder) };
  return listPage(reading, known, frameOf(known, { ...folder, id }, below(frame.place, name)), kept);
};

const outOfReach = (what: string, id: string): SourceChange =>
  failed(`The ${what} ${id} is out of reach: share it with the connected account, or take it out of the scope`, {
    place: id,
  });

/** A file that the scope names, or what it leads to. */
const readNamed = async (reading: DriveReading, before: DrivePlace, id: string) => {
  const file = await findFile(reading, id).catch((error: unknown) => {
    if (!isSkippable(error, reading.input)) throw error;
    return 'failing' as const;
  });
  if (file === 'failing') {
    // What the index does not have may be a shortcut, of which nobody knows where it leads.
    const isUnsure = before.isUnsure === true || !(await reading.input.known(id, null)).includes(id);
    return { changes: [skipped(`the file ${id}`, id)], place: { ...before, isUnsure } };
  }
  if (file === null) return { changes: [outOfReach('file', id)], place: before };
  const place = await withDrive(reading, before, file);
  if (file.trashed === true) return { changes: [], place };
  if (isFolder(file)) return { changes: [failed(`${id} is a folder: name it among the folders of the scope`)], place };
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
  if (!isFolder(folder))
    return { changes: [failed(`${id} is no folder: name it among the files of the scope`)], place };
  const known = { ...place, seen: withSeen(place.seen, folder) };
  if (folder.trashed === true) return { changes: [], place: known };
  const at = below({ label: labelOf(reading, id), folder: '' }, folder.name ?? '');
  return listPage(reading, known, frameOf(known, { ...folder, id }, at), []);
};

/** A step of the walk through all that is in the scope; `walk` is null after the last. */
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
