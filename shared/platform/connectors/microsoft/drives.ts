import type { JsonObject } from '../../../kernel/json.ts';
import { headOf } from '../../../kernel/text.ts';
import {
  type ConnectorSource,
  failed,
  isStuck,
  type SourceChange,
  SourceFault,
  type Step,
  type StepInput,
} from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';
import { recall, type SeenFolder, type SeenFolders, withSeen } from '../seen-folders.ts';
import {
  type DriveItem,
  externalIdOf,
  isDeleted,
  isFile,
  isFolder,
  isRoot,
  itemOf,
  parentOf,
  type Placement,
} from './drive-item.ts';
import { microsoftChoices } from './choices.ts';
import { openGraph } from './graph.ts';
import {
  addLogs,
  addressOf,
  documentIdsOf,
  findItem,
  firstLink,
  labelOf,
  type Log,
  openPart,
  ownDrive,
  partsOf,
  type Place,
  type Reading,
} from './scope.ts';

const partsPerStep = 10;
const filesPerStep = 20;
const maxPathLength = 200;
/** More than the maximum depth of folders in SharePoint. */
const maxDepth = 120;
/** Twelve characters for each of 10,000 folders. */
const maxSeenLength = 120_000;

const lost = (why: string): SourceFault => new SourceFault('state_lost', why);

const seenFolderOf = (item: DriveItem): SeenFolder => ({
  id: textAt(item, 'id'),
  looks: [textAt(item, 'name'), parentOf(item)],
});

const placement = (label: string | null, names: readonly string[]): Placement => ({
  label,
  folder: headOf(names.filter((name) => name !== '').join(' / '), maxPathLength),
});

/** Returns the position of what a folder contains; null if it is not in scope. */
const placeIn = async (reading: Reading, log: Log, folderId: string): Promise<Placement | null> => {
  const names: string[] = [];
  let id = folderId;
  for (let depth = 0; depth < maxDepth && id !== ''; depth += 1) {
    const folder = await findItem(reading, log.drive, id);
    // A folder that is not accessible may contain accessible ones.
    if (folder === null) break;
    const key = externalIdOf(log.drive, id);
    if (reading.folders.has(key)) {
      const label = labelOf(reading, key) ?? labelOf(reading, id) ?? log.label;
      return placement(label, [textAt(folder, 'name'), ...names]);
    }
    if (isRoot(folder)) break;
    names.unshift(textAt(folder, 'name'));
    id = parentOf(folder);
  }
  return log.isWhole ? placement(log.label, [log.name, ...names]) : null;
};

/**
 * Compares a folder of a list of changes with those seen before. The list of a folder that was moved does not contain
 * what it contains, so everything is listed again. A new folder comes with its contents.
 */
const readFolder = (seen: SeenFolders, folder: DriveItem): SeenFolders => {
  if (isRoot(folder) || seen === null) return seen;
  const recalled = recall(seen, seenFolderOf(folder));
  if (recalled === 'changed') throw lost('a folder was renamed or moved');
  return recalled === 'same' ? seen : withSeen(seen, seenFolderOf(folder), maxSeenLength);
};

const fileChange = async (reading: Reading, log: Log, file: DriveItem): Promise<SourceChange> => {
  const externalId = externalIdOf(log.drive, textAt(file, 'id'));
  const at = await placeIn(reading, log, parentOf(file));
  if (at === null) return { kind: 'remove', externalId };
  return { kind: 'upsert', item: itemOf(reading.graph, log.drive, file, at) };
};

/** Whether Microsoft has failed so often at this step that one file may be the cause. */
const isSkippable = (error: unknown, input: StepInput): boolean =>
  error instanceof SourceFault && error.kind === 'busy' && error.retryAfterSeconds === null && isStuck(input);

const skipped = (what: string, externalId: string): SourceChange =>
  failed(`Microsoft fails at ${what}: it stays as it was until it can be read`, { externalId, isTransient: true });

/** Converts the rows of a page of changes. */
const readRows = async (reading: Reading, log: Log, place: Place, rows: readonly DriveItem[]) => {
  const changes: SourceChange[] = [];
  let { seen } = place;
  for (const row of rows) {
    const id = textAt(row, 'id');
    const externalId = externalIdOf(log.drive, id);
    if (isDeleted(row)) {
      if (seen !== null && recall(seen, seenFolderOf(row)) !== 'unknown') throw lost('a folder was deleted');
      changes.push({ kind: 'remove', externalId });
    } else if (isFolder(row)) seen = readFolder(seen, row);
    else if (isFile(row) && !reading.files.has(externalId)) {
      const change = fileChange(reading, log, row).catch((error: unknown) => {
        if (!isSkippable(error, reading.input)) throw error;
        return skipped(`a folder above the file ${textAt(row, 'name')}`, externalId);
      });
      changes.push(await change);
    }
  }
  return { changes, seen };
};

const goOn = (place: Place, changes: readonly SourceChange[], reached: readonly string[] = []): Step => ({
  changes,
  reached,
  // TypeScript does not treat interfaces as JSON objects.
  state: place as unknown as JsonObject,
  done: false,
  removesUnseen: false,
});

/** Reads a page of changes of a drive. */
const readLog = async (reading: Reading, place: Place, log: Log): Promise<Step> => {
  const page = await reading.graph.page(log.link);
  if (page === null) {
    if (log.link !== firstLink(log.drive)) throw lost('the position in a drive has expired');
    const message = `The changes of ${log.name} in ${reading.product} are not accessible: grant access to the library, not only to a folder in it`;
    return goOn({ ...place, log: place.log + 1 }, [failed(message, { place: log.drive })]);
  }
  for (const row of page.rows)
    if (isFolder(row) && !isDeleted(row)) reading.known.set(externalIdOf(log.drive, textAt(row, 'id')), row);
  const { changes, seen } = await readRows(reading, log, place, page.rows);
  const link = page.next ?? page.delta ?? log.link;
  const logs = place.logs.map((each) => (each.drive === log.drive ? { ...each, link } : each));
  return goOn({ ...place, seen, logs, log: place.log + (page.next === null ? 1 : 0) }, changes);
};

const readFile = async (reading: Reading, id: string): Promise<SourceChange> => {
  const address = addressOf(id, reading.own);
  if (address === null)
    return failed(`${id} in the scope is no id of a file in ${reading.product}: copy it from the list of choices`);
  const { drive, item } = address;
  const file = await findItem(reading, drive, item);
  if (file === null)
    return failed(`The file ${id} is not accessible in ${reading.product}: it was deleted, or share it`, { place: id });
  if (!isFile(file)) return failed(`${id} is no file: add it to the folders of the scope`, { place: id });
  const at = placement(labelOf(reading, id), []);
  return { kind: 'upsert', item: itemOf(reading.graph, drive, file, at) };
};

/** Reads the next files that the scope names. They are requested at each sync, since their drives may be closed. */
const readFiles = async (reading: Reading, place: Place, files: readonly string[]): Promise<Step> => {
  const changes: SourceChange[] = [];
  const reached: string[] = [];
  for (const id of files.slice(place.files, place.files + filesPerStep)) {
    const change = await readFile(reading, id).catch((error: unknown) => {
      if (!isSkippable(error, reading.input)) throw error;
      return skipped(`the file ${id}`, id);
    });
    changes.push(change);
    if (change.kind === 'upsert') reached.push(id);
    // A file that is no longer accessible leaves the index at once.
    const address = addressOf(id, reading.own);
    if (change.kind === 'failed' && change.externalId === null && address !== null)
      changes.push({ kind: 'remove', externalId: externalIdOf(address.drive, address.item) });
  }
  return goOn({ ...place, files: place.files + filesPerStep }, changes, reached);
};

const openParts = async (reading: Reading, place: Place): Promise<Step> => {
  const changes: SourceChange[] = [];
  let { logs } = place;
  for (const part of partsOf(reading.input).slice(place.opened, place.opened + partsPerStep)) {
    const found = await openPart(reading, part);
    const added = 'problem' in found ? { logs, problems: [found.problem] } : addLogs(logs, found.logs, part);
    logs = added.logs;
    changes.push(...added.problems);
  }
  return goOn({ ...place, logs, opened: place.opened + partsPerStep }, changes);
};

const step = async (reading: Reading, place: Place): Promise<Step> => {
  const { scope } = reading.input;
  const files = [...new Set(scope.files)].toSorted();
  if (place.opened < partsOf(reading.input).length) return openParts(reading, place);
  if (place.files < files.length) return readFiles(reading, place, files);
  const log = place.logs[place.log];
  if (log !== undefined) return readLog(reading, place, log);
  const ended = { ...place, files: 0, log: 0, isFull: false };
  return { ...goOn(ended, []), done: true, removesUnseen: place.isFull };
};

/**
 * Source of SharePoint and OneDrive: each file of the scope is a document. The first sync lists each drive by its
 * changes since the beginning, and later ones those since the last sync.
 */
export const microsoftSource = (
  provider: 'sharepoint' | 'one_drive',
  get: PublicGet,
  address: string,
): ConnectorSource => ({
  step: async (input: StepInput) => {
    const graph = openGraph(get, input, address);
    const product = provider === 'sharepoint' ? 'SharePoint' : 'OneDrive';
    const before = input.state as unknown as Place | null;
    const own =
      provider === 'sharepoint' ? null : (before?.own ?? (await ownDrive(graph, textAt(input.credentials, 'user'))));
    const place = before ?? { opened: 0, logs: [], files: 0, log: 0, isFull: true, seen: '' };
    const folders = documentIdsOf(input.scope.folders, own);
    const files = documentIdsOf(input.scope.files, own);
    const reading = { graph, input, product, own, folders, files, known: new Map<string, DriveItem | null>() };
    return step(reading, own === null ? place : { ...place, own });
  },
  choices: (input) => microsoftChoices(provider, get, address, input),
});
