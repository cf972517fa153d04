import { createHash } from 'node:crypto';
import { headOf } from '../../../kernel/text.ts';
import { isHidden } from './client.ts';
import { type DriveAccess, type DriveFile, fileFields, isShortcut, type Placement } from './drive-file.ts';
import type { StepInput } from '../port.ts';

const maxPathLength = 200;
/** Deeper than Google lets folders be nested. */
const maxDepth = 120;
const maxSeenLength = 36 * 1024;
const maxTargetBytes = 30 * 1024;

/** A folder whose content is being listed. */
export interface Frame {
  readonly id: string;
  readonly place: Placement;
  /** Where its list goes on; null at its end. */
  readonly cursor: string | null;
  /** Folders in what was listed, still to be read: id, name, and whether a shortcut leads there. */
  readonly below: readonly (readonly [id: string, name: string])[];
  /** The shared drive in which it lies, if the account is a member; absent: none. */
  readonly drive?: string;
}

/** Where shortcuts lead that are in the scope themselves. `spare`: their target is as well, so that it has a place. */
export type Targets = Readonly<Record<string, Placement & { readonly spare: boolean }>>;

/** Where a sync is. */
export interface DrivePlace {
  /** The changes of the account's own log that come after the beginning of the walk. */
  readonly token: string;
  /** The same of the log of each shared drive that the scope reaches into. */
  readonly drives: Readonly<Record<string, string>>;
  /** The log that is read: that of a shared drive, or empty for the account's own. */
  readonly log: string;
  /** What of the scope is still to be read; null when all of it has been. */
  readonly walk: { readonly next: number; readonly frames: readonly Frame[] } | null;
  /** Folders and shortcuts of the scope as they were, twelve letters each; null where there are too many to be remembered. */
  readonly seen: string | null;
  readonly targets: Targets;
  /** Whether the walk left something out of which nobody knows what it leads to. */
  readonly isUnsure?: boolean;
}

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

const keyLetters = 8;
const rowLetters = 12;

const looksOf = ({ name, parents, trashed, shortcutDetails }: DriveFile): string =>
  digest(JSON.stringify([name, parents?.toSorted(), trashed ?? false, shortcutDetails?.targetId ?? null]), 4);

export const withSeen = (seen: string | null, file: DriveFile): string | null => {
  if (seen === null || seen.length >= maxSeenLength) return null;
  return `${seen}${digest(file.id ?? '', keyLetters)}${looksOf(file)}`;
};

/** Whether a folder or shortcut was in the scope, and is as it was. */
export const recall = (seen: string, file: DriveFile): 'unknown' | 'same' | 'changed' => {
  const key = digest(file.id ?? '', keyLetters);
  for (let at = 0; at < seen.length; at += rowLetters)
    if (seen.startsWith(key, at)) return seen.startsWith(looksOf(file), at + keyLetters) ? 'same' : 'changed';
  return 'unknown';
};

/** The targets with one more; null where there is no room. */
export const withTarget = (targets: Targets, id: string, place: Targets[string]): Targets | null => {
  const more = { ...targets, [id]: place };
  return Buffer.byteLength(JSON.stringify(more)) > maxTargetBytes ? null : more;
};

export const below = ({ label, folder }: Placement, name: string): Placement => ({
  label,
  folder: headOf(folder === '' ? name : `${folder} / ${name}`, maxPathLength),
});

/** What a step knows of the drive. */
export interface DriveReading extends DriveAccess {
  readonly input: StepInput;
  readonly folders: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** Labels of folders and files of the scope. */
  readonly labels: Readonly<Record<string, string>>;
  /** Files that were looked at in this step. */
  readonly looked: Map<string, DriveFile | null>;
}

/** A file or folder as it is now; null where it is not there for the account. */
export const findFile = async ({ files, call, looked }: DriveReading, id: string): Promise<DriveFile | null> => {
  const known = looked.get(id);
  if (known !== undefined) return known;
  const found = await files.get({ fileId: id, fields: fileFields, supportsAllDrives: true }, call).then(
    ({ data }) => data,
    (error: unknown) => {
      if (!isHidden(error)) throw error;
      return null;
    },
  );
  looked.set(id, found);
  return found;
};

export const labelOf = ({ labels }: DriveReading, id: string): string | null =>
  Object.hasOwn(labels, id) ? (labels[id] ?? null) : null;

/**
 * The place with the log of the shared drive in which a file of the scope lies, from before anything of it is read: the
 * account's own log does not tell of all that happens there. The log of a drive of which the account is no member, but
 * has a file or folder shared with it, is not for it to read. Source: Google, "Track changes for users and shared drives".
 */
export const withDrive = async <Known extends Pick<DrivePlace, 'drives'>>(
  { changes, call }: DriveReading,
  known: Known,
  { driveId }: DriveFile,
): Promise<Known> => {
  if (typeof driveId !== 'string' || Object.hasOwn(known.drives, driveId)) return known;
  const token = await changes.getStartPageToken({ driveId, supportsAllDrives: true }, call).then(
    ({ data }) => data.startPageToken ?? '',
    (error: unknown) => {
      if (!isHidden(error)) throw error;
      return null;
    },
  );
  return token === null ? known : { ...known, drives: { ...known.drives, [driveId]: token } };
};

/** A folder of which nothing has been listed yet. */
export const frameOf = (
  { drives }: Pick<DrivePlace, 'drives'>,
  { id, driveId }: DriveFile,
  place: Placement,
): Frame => ({
  id: id ?? '',
  place,
  cursor: null,
  below: [],
  ...(typeof driveId === 'string' && Object.hasOwn(drives, driveId) ? { drive: driveId } : {}),
});

/** Place of what lies in a folder; null where the folder is not in the scope. */
const placeIn = async (
  reading: DriveReading,
  targets: Targets,
  folderId: string,
  depth = 0,
): Promise<Placement | null> => {
  const target = Object.hasOwn(targets, folderId) ? targets[folderId] : undefined;
  const isRoot = reading.folders.has(folderId);
  if (target !== undefined && !target.spare && !isRoot) return { label: target.label, folder: target.folder };
  const folder = await findFile(reading, folderId);
  if (folder === null || folder.trashed === true || depth > maxDepth) return null;
  if (isRoot) return below({ label: labelOf(reading, folderId), folder: '' }, folder.name ?? '');
  for (const parent of folder.parents ?? []) {
    const above = await placeIn(reading, targets, parent, depth + 1);
    if (above !== null) return below(above, folder.name ?? '');
  }
  return null;
};

const placeInAny = async (reading: DriveReading, targets: Targets, parents: readonly string[]) => {
  for (const parent of parents) {
    const place = await placeIn(reading, targets, parent);
    if (place !== null) return place;
  }
  return null;
};

/** Place of a file; null where it is not in the scope. */
export const placeOfFile = async (
  reading: DriveReading,
  { seen, targets }: Pick<DrivePlace, 'seen' | 'targets'>,
  file: DriveFile,
): Promise<Placement | null> => {
  const id = file.id ?? '';
  if (reading.named.has(id)) return { label: labelOf(reading, id), folder: '' };
  const target = Object.hasOwn(targets, id) ? targets[id] : undefined;
  if (target !== undefined && !target.spare) return target;
  const parents = file.parents ?? [];
  // Without a request where none of its folders was read: one that is new is told of by itself.
  const near = seen === null ? parents : parents.filter((parent) => recall(seen, { id: parent }) !== 'unknown');
  return (await placeInAny(reading, targets, near)) ?? target ?? null;
};

/** Whether a shortcut's target has a place of its own. */
export const hasOwnPlace = async (reading: DriveReading, targets: Targets, target: DriveFile): Promise<boolean> => {
  const id = target.id ?? '';
  if (reading.named.has(id) || reading.folders.has(id)) return true;
  return (await placeInAny(reading, targets, target.parents ?? [])) !== null;
};

/** What a shortcut leads to; null where that is not there for the account, or a shortcut again. */
export const targetOf = async (reading: DriveReading, { shortcutDetails }: DriveFile): Promise<DriveFile | null> => {
  const id = shortcutDetails?.targetId;
  const target = typeof id === 'string' ? await findFile(reading, id) : null;
  return target === null || isShortcut(target) ? null : target;
};
