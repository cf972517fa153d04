import { headOf } from '../../../kernel/text.ts';
import { isHidden } from './client.ts';
import { type DriveAccess, type DriveFile, fileFields, isShortcut, type Placement } from './drive-file.ts';
import type { StepInput } from '../port.ts';
import {
  recall as recallFolder,
  type SeenFolder,
  type SeenFolders,
  withSeen as withSeenFolder,
} from '../seen-folders.ts';

const maxPathLength = 200;
/** More than Google's maximum depth of folders. */
const maxDepth = 120;
const maxSeenLength = 36 * 1024;
const maxTargetBytes = 30 * 1024;

/** A folder that is being listed. */
export interface Frame {
  readonly id: string;
  readonly place: Placement;
  /** Page token of its list; null at the end. */
  readonly cursor: string | null;
  /** Subfolders that are still to be listed: id and name. */
  readonly below: readonly (readonly [id: string, name: string])[];
  /** Shared drive that contains it, if the account is a member. */
  readonly drive?: string;
}

/** Targets of shortcuts in the scope. `spare`: the target is in the scope itself, so it has its own position. */
export type Targets = Readonly<Record<string, Placement & { readonly spare: boolean }>>;

/** Position of a sync, stored in its state. */
export interface DrivePlace {
  /** Page token of the account's own change log, from before the walk. */
  readonly token: string;
  /** Page tokens of the logs of shared drives in the scope. */
  readonly drives: Readonly<Record<string, string>>;
  /** Log that is being read: a shared drive's id, or empty for the account's own. */
  readonly log: string;
  /** Remaining part of the walk; null when it is complete. */
  readonly walk: { readonly next: number; readonly frames: readonly Frame[] } | null;
  /** Digests of folders and shortcuts of the scope, twelve characters each; null if there are too many. */
  readonly seen: SeenFolders;
  readonly targets: Targets;
  /** Whether the walk skipped an item whose contents are unknown. */
  readonly isUnsure?: boolean;
}

const seenFolderOf = ({ id, name, parents, trashed, shortcutDetails }: DriveFile): SeenFolder => ({
  id: id ?? '',
  looks: [name, parents?.toSorted(), trashed ?? false, shortcutDetails?.targetId ?? null],
});

export const withSeen = (seen: SeenFolders, file: DriveFile): SeenFolders =>
  withSeenFolder(seen, seenFolderOf(file), maxSeenLength);

/** Compares a folder or shortcut with its state during the walk. */
export const recall = (seen: string, file: DriveFile) => recallFolder(seen, seenFolderOf(file));

/** Adds a target; null if the maximum size is exceeded. */
export const withTarget = (targets: Targets, id: string, place: Targets[string]): Targets | null => {
  const more = { ...targets, [id]: place };
  return Buffer.byteLength(JSON.stringify(more)) > maxTargetBytes ? null : more;
};

export const below = ({ label, folder }: Placement, name: string): Placement => ({
  label,
  folder: headOf(folder === '' ? name : `${folder} / ${name}`, maxPathLength),
});

/** Context of a step. */
export interface DriveReading extends DriveAccess {
  readonly input: StepInput;
  readonly folders: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** Labels of folders and files in the scope. */
  readonly labels: Readonly<Record<string, string>>;
  /** Files that this step has requested. */
  readonly requested: Map<string, DriveFile | null>;
}

/** Requests a file or folder; null if the account cannot see it. */
export const findFile = async ({ files, call, requested }: DriveReading, id: string): Promise<DriveFile | null> => {
  const known = requested.get(id);
  if (known !== undefined) return known;
  const found = await files.get({ fileId: id, fields: fileFields, supportsAllDrives: true }, call).then(
    ({ data }) => data,
    (error: unknown) => {
      if (!isHidden(error)) throw error;
      return null;
    },
  );
  requested.set(id, found);
  return found;
};

export const labelOf = ({ labels }: DriveReading, id: string): string | null =>
  Object.hasOwn(labels, id) ? (labels[id] ?? null) : null;

/**
 * Adds the change log of the shared drive of a file, from before anything of it is read.
 * The account's own log does not contain all changes of shared drives.
 * If the account is no member and only has a shared file or folder, the drive's log is not accessible.
 * Source: Google, "Track changes for users and shared drives".
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

/** Returns the list position at the beginning of a folder. */
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

/** Returns the position of a folder's contents; null if the folder is not in the scope. */
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

/** Returns the position of a file; null if it is not in the scope. */
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
  // Needs no request if none of its folders was listed: a new folder is reported itself.
  const near = seen === null ? parents : parents.filter((parent) => recall(seen, { id: parent }) !== 'unknown');
  return (await placeInAny(reading, targets, near)) ?? target ?? null;
};

/** Whether a shortcut's target is in the scope itself. */
export const hasOwnPlace = async (reading: DriveReading, targets: Targets, target: DriveFile): Promise<boolean> => {
  const id = target.id ?? '';
  if (reading.named.has(id) || reading.folders.has(id)) return true;
  return (await placeInAny(reading, targets, target.parents ?? [])) !== null;
};

/** Returns the target of a shortcut; null if the account cannot see it, or it is a shortcut too. */
export const targetOf = async (reading: DriveReading, { shortcutDetails }: DriveFile): Promise<DriveFile | null> => {
  const id = shortcutDetails?.targetId;
  const target = typeof id === 'string' ? await findFile(reading, id) : null;
  return target === null || isShortcut(target) ? null : target;
};
