import type { JsonObject } from '../../../kernel/json.ts';
import { failed, type SourceChange, SourceFault, type StepInput } from '../port.ts';
import type { SeenFolders } from '../seen-folders.ts';
import { textAt } from '../read-text.ts';
import { type DriveItem, externalIdOf, isFolder, itemPath } from './drive-item.ts';
import type { Graph } from './graph.ts';

/** A drive whose changes are read. */
export interface Log {
  readonly drive: string;
  /** Path of the next page of changes. */
  readonly link: string;
  readonly name: string;
  /** Whether all of it is in scope, not only folders. */
  readonly isWhole: boolean;
  /** Label of the library or its site, given by the caller. */
  readonly label: string | null;
}

/** Position of a sync, stored in its state. */
export interface Place {
  /** Drive of the account; absent until it was requested. */
  readonly own?: string;
  /** Parts of the scope whose drives are known. */
  readonly opened: number;
  readonly logs: readonly Log[];
  /** Named files that were read. */
  readonly files: number;
  /** Log that is being read. */
  readonly log: number;
  /** Whether everything is listed. */
  readonly isFull: boolean;
  /** All folders of the drives, in scope or not. */
  readonly seen: SeenFolders;
}

/** Maximum drives of a connector: the link of each is part of the state. */
const maxLogs = 300;

/** Context of a step. */
export interface Reading {
  readonly graph: Graph;
  readonly input: StepInput;
  /** Name of the product, for messages. */
  readonly product: string;
  /** Drive of the account; null for SharePoint. */
  readonly own: string | null;
  /** Document ids of the folders and files that the scope names. */
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** Folders and files that this step knows, by document id. */
  readonly known: Map<string, DriveItem | null>;
}

/** A part of the scope that is in drives of its own. */
export interface Part {
  readonly kind: 'library' | 'site' | 'folder';
  readonly id: string;
}

/** Alias of the top of a drive. */
const rootAlias = 'root';

/** Characters of the ids of drives and items. Others never get into an address. */
const isId = (text: string): boolean => /^[\w!.~-]{1,256}$/.test(text);

/** Splits the id of a folder or file: `DRIVE/ITEM`, or an item of the account's own drive. Null if it is none. */
export const addressOf = (id: string, own: string | null): { readonly drive: string; readonly item: string } | null => {
  const at = id.indexOf('/');
  const [drive, item] = at === -1 ? [own ?? '', id] : [id.slice(0, at), id.slice(at + 1)];
  return isId(drive) && isId(item) ? { drive, item } : null;
};

/** Returns the parts of a scope in a fixed order. */
export const partsOf = ({ scope }: StepInput): readonly Part[] => [
  ...scope.libraries.toSorted().map((id) => ({ kind: 'library', id }) as const),
  ...scope.sites.toSorted().map((id) => ({ kind: 'site', id }) as const),
  ...scope.folders.toSorted().map((id) => ({ kind: 'folder', id }) as const),
];

/** Returns the document ids of folders or files in scope. */
export const documentIdsOf = (ids: readonly string[], own: string | null): ReadonlySet<string> =>
  new Set(
    ids.flatMap((id) => {
      const address = addressOf(id, own);
      return address === null ? [] : [externalIdOf(address.drive, address.item)];
    }),
  );

/** Returns the label that the caller gave to an id. */
export const labelOf = ({ input }: Reading, id: string): string | null => {
  const { folder_labels: labels } = input.scope;
  return Object.hasOwn(labels, id) ? (labels[id] ?? null) : null;
};

/** Returns the path of a site by its id, or by its address in a browser; null if it is neither. */
const sitePath = (id: string): string | null => {
  if (!id.startsWith('https://')) return /^[\w.,-]+$/.test(id) ? `/sites/${id}` : null;
  const url = URL.parse(id);
  if (url === null || url.search !== '' || url.hash !== '') return null;
  const path = url.pathname.replace(/\/+$/, '');
  return path === '' ? `/sites/${url.host}` : `/sites/${url.host}:${path}:`;
};

const outOfReach = ({ product }: Reading, what: string, id: string): SourceChange =>
  failed(
    `The ${what} ${id} is not accessible in ${product}: grant the application or the account access to it, or remove it from the scope`,
    { place: id },
  );

const oddId = ({ product }: Reading, { kind, id }: Part): SourceChange =>
  failed(`${id} in the scope is no id of a ${kind} in ${product}: copy it from the list of choices`, { place: id });

/** Returns the logs with one more. A drive that is in scope as a whole is read once. */
const withLog = (logs: readonly Log[], log: Log): readonly Log[] => {
  const known = logs.find(({ drive }) => drive === log.drive);
  if (known === undefined) return [...logs, log];
  return known.isWhole || !log.isWhole ? logs : logs.map((each) => (each === known ? log : each));
};

/** Returns the path of a list of everything in a drive, whose end leads to later changes. */
export const firstLink = (drive: string): string => `/drives/${encodeURIComponent(drive)}/root/delta?$top=100`;

const logOf = (drive: JsonObject, isWhole: boolean, label: string | null): Log => {
  const id = textAt(drive, 'id');
  return { drive: id, link: firstLink(id), name: textAt(drive, 'name'), isWhole, label };
};

const drivesOfSite = async ({ graph }: Reading, path: string): Promise<readonly JsonObject[] | null> => {
  const drives: JsonObject[] = [];
  for (let next: string | null = `${path}/drives?$select=id,name&$top=200`; next !== null;) {
    const page = await graph.page(next);
    if (page === null) return null;
    drives.push(...page.rows);
    next = page.next;
  }
  return drives;
};

type Opened = { readonly logs: readonly Log[] } | { readonly problem: SourceChange };

const openDrive = async (reading: Reading, part: Part, id: string, isWhole: boolean): Promise<Opened> => {
  const drive = await reading.graph.get(`/drives/${encodeURIComponent(id)}?$select=id,name`);
  if (drive === null) return { problem: outOfReach(reading, part.kind, part.id) };
  return { logs: [logOf(drive, isWhole, isWhole ? (labelOf(reading, part.id) ?? labelOf(reading, id)) : null)] };
};

const openFolder = async (reading: Reading, part: Part): Promise<Opened> => {
  const address = addressOf(part.id, reading.own);
  if (address === null) return { problem: oddId(reading, part) };
  const { drive, item } = address;
  if (item === rootAlias) return openDrive(reading, part, drive, true);
  const folder = await findItem(reading, drive, item);
  if (folder === null) return { problem: outOfReach(reading, 'folder', part.id) };
  if (!isFolder(folder)) return { problem: failed(`${part.id} is no folder: add it to the files of the scope`) };
  return openDrive(reading, part, drive, false);
};

/** Finds the drives of a part of the scope. */
export const openPart = async (reading: Reading, part: Part): Promise<Opened> => {
  if (part.kind === 'folder') return openFolder(reading, part);
  if (part.kind === 'library')
    return isId(part.id) ? openDrive(reading, part, part.id, true) : { problem: oddId(reading, part) };
  const path = sitePath(part.id);
  if (path === null) return { problem: oddId(reading, part) };
  const drives = await drivesOfSite(reading, path);
  if (drives === null) return { problem: outOfReach(reading, 'site', part.id) };
  const label = labelOf(reading, part.id);
  return { logs: drives.map((drive) => logOf(drive, true, labelOf(reading, textAt(drive, 'id')) ?? label)) };
};

/** Adds the drives of a part. Those beyond the maximum are reported. */
export const addLogs = (logs: readonly Log[], more: readonly Log[], { id }: Part) => {
  const all = more.reduce(withLog, logs);
  if (all.length <= maxLogs) return { logs: all, problems: [] };
  const message = `The scope has more than ${maxLogs} libraries: those of ${id} are left out. Use another connector`;
  return { logs, problems: [failed(message, { place: id })] };
};

/** Requests a file or folder; null if it is not accessible. */
export const findItem = async (
  { graph, known }: Pick<Reading, 'graph' | 'known'>,
  drive: string,
  id: string,
): Promise<DriveItem | null> => {
  const key = externalIdOf(drive, id);
  const found = known.get(key);
  if (found !== undefined) return found;
  const item = await graph.get(itemPath(drive, id));
  known.set(key, item);
  return item;
};

/** Returns the account's own drive. `user`: person of an application without an account; empty for the account. */
export const ownDrive = async (graph: Graph, user: string): Promise<string> => {
  const drive = await graph.get(user === '' ? '/me/drive' : `/users/${encodeURIComponent(user)}/drive`);
  if (drive !== null) return textAt(drive, 'id');
  throw new SourceFault(
    'refused',
    user === ''
      ? 'The account has no OneDrive: connect another one'
      : `The application may not read the OneDrive of ${user}: check the address and grant Files.Read.All`,
  );
};
