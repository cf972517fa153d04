import { isObject, type JsonObject } from '../../../kernel/json.ts';
import type { SourceItem } from '../port.ts';
import { fileNameOf, splitFileName, textAt } from '../read-text.ts';
import type { Graph } from './graph.ts';

/** A file or folder of a drive, as in Microsoft Graph. Source: "driveItem resource type". */
export type DriveItem = JsonObject;

/** Position of a file in the scope. */
export interface Placement {
  /** Label of the library, site, folder or file of the scope, given by the caller. */
  readonly label: string | null;
  /** Path of the folders above, starting at the library or folder of the scope. */
  readonly folder: string;
}

const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isObject(value) ? value : {};
};

export const isFolder = (item: DriveItem): boolean => isObject(item['folder']);
export const isFile = (item: DriveItem): boolean => isObject(item['file']);
/** Whether it is the top of its drive. */
export const isRoot = (item: DriveItem): boolean => isObject(item['root']);
export const isDeleted = (item: DriveItem): boolean => isObject(item['deleted']);

/** Returns the id of the folder that contains an item; empty at the top. */
export const parentOf = (item: DriveItem): string => textAt(objectAt(item, 'parentReference'), 'id');

/** Returns the id of a document, since items are unique in their drive only. */
export const externalIdOf = (drive: string, id: string): string => `${drive}/${id}`;

export const itemPath = (drive: string, id: string): string =>
  `/drives/${encodeURIComponent(drive)}/items/${encodeURIComponent(id)}`;

/** Returns a value that changes with the content. The list of changes has no `cTag`, and a rename changes the `eTag`. */
const versionOf = (item: DriveItem): string => {
  const hashes = objectAt(objectAt(item, 'file'), 'hashes');
  const known = ['quickXorHash', 'sha256Hash', 'sha1Hash'].map((name) => textAt(hashes, name));
  return known.find((hash) => hash !== '') ?? textAt(item, 'eTag');
};

/** Converts a file to a document. */
export const itemOf = (graph: Graph, drive: string, item: DriveItem, { label, folder }: Placement): SourceItem => {
  const [id, name] = [textAt(item, 'id'), textAt(item, 'name')];
  const [base, ending] = splitFileName(name);
  const sizeBytes = Number(item['size'] ?? 0);
  return {
    externalId: externalIdOf(drive, id),
    version: versionOf(item),
    filename: fileNameOf(base, ending),
    contentType: textAt(objectAt(item, 'file'), 'mimeType') || 'application/octet-stream',
    content: () => graph.content(`${itemPath(drive, id)}/content`, sizeBytes),
    sizeBytes,
    title: name === '' ? null : name,
    url: textAt(item, 'webUrl') || null,
    metadata: { ...(label === null ? {} : { label }), ...(folder === '' ? {} : { folder }) },
  };
};
