import type { drive_v3 } from '@googleapis/drive';
import { readBounded } from '../../../kernel/read-bounded.ts';
import { type GoogleCall, googleContentFault, googleStatus, maxBytes, tooLong } from './client.ts';
import type { SourceItem } from '../port.ts';
import { fileNameOf, splitFileName } from '../read-text.ts';

export type DriveFile = drive_v3.Schema$File;

/** Requested fields of each file. */
export const fileFields =
  'id,name,mimeType,parents,driveId,trashed,size,md5Checksum,modifiedTime,webViewLink,shortcutDetails(targetId,targetMimeType)';

/** Position of a file in the scope. */
export interface Placement {
  /** Label of the scope's folder, given by the caller. */
  readonly label: string | null;
  /** Path of the folders above, starting at that of the scope. */
  readonly folder: string;
}

/** Timeout of a download: 128 MiB at 6 Mbit/s. */
const downloadTimeoutMs = 180_000;

const native = 'application/vnd.google-apps';
const openXml = 'application/vnd.openxmlformats-officedocument';

/** Export formats of Google's own documents, which have no bytes. */
const exports: Readonly<Record<string, { readonly contentType: string; readonly ending: string }>> = {
  [`${native}.document`]: { contentType: `${openXml}.wordprocessingml.document`, ending: '.docx' },
  [`${native}.spreadsheet`]: { contentType: `${openXml}.spreadsheetml.sheet`, ending: '.xlsx' },
  [`${native}.presentation`]: { contentType: `${openXml}.presentationml.presentation`, ending: '.pptx' },
  [`${native}.drawing`]: { contentType: 'application/pdf', ending: '.pdf' },
};

export const isFolder = ({ mimeType }: DriveFile): boolean => mimeType === `${native}.folder`;
export const isShortcut = ({ mimeType }: DriveFile): boolean => mimeType === `${native}.shortcut`;

/** API access to files and changes. */
export interface DriveAccess {
  readonly files: drive_v3.Resource$Files;
  readonly changes: drive_v3.Resource$Changes;
  readonly call: GoogleCall;
  readonly now: Date;
}

const download = async ({ files, call }: DriveAccess, id: string, exported: string | null): Promise<Uint8Array> => {
  const options = { ...call, timeout: downloadTimeoutMs, responseType: 'stream' } as const;
  const { data } =
    exported === null
      ? await files.get({ fileId: id, alt: 'media', supportsAllDrives: true }, options)
      : await files.export({ fileId: id, mimeType: exported }, options);
  return readBounded(data, maxBytes, tooLong);
};

const contentOf = async (access: DriveAccess, file: DriveFile, exported: string | null): Promise<Uint8Array | null> => {
  if (Number(file.size ?? 0) > maxBytes) throw tooLong();
  try {
    return await download(access, file.id ?? '', exported);
  } catch (error) {
    if (googleStatus(error) === 404) return null;
    throw googleContentFault(error, 'Google Drive', access.now);
  }
};

/** Converts a file to a document. Null for kinds without text, such as forms or maps. */
export const itemOf = (access: DriveAccess, file: DriveFile, { label, folder }: Placement): SourceItem | null => {
  const { id, mimeType, name, md5Checksum, modifiedTime } = file;
  const type = mimeType ?? 'application/octet-stream';
  const exported = exports[type] ?? null;
  if (typeof id !== 'string' || (exported === null && type.startsWith(native))) return null;
  const [base, ending] = exported === null ? splitFileName(name ?? '') : [name ?? '', exported.ending];
  return {
    externalId: id,
    version: md5Checksum ?? modifiedTime ?? '',
    filename: fileNameOf(base, ending),
    contentType: exported?.contentType ?? type,
    content: () => contentOf(access, file, exported?.contentType ?? null),
    title: name ?? null,
    url: file.webViewLink ?? null,
    metadata: { ...(label === null ? {} : { label }), ...(folder === '' ? {} : { folder }) },
  };
};
