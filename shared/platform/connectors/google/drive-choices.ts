import type { drive_v3 } from '@googleapis/drive';
import { type Choice, type Choices, type ChoicesInput, unknownParent } from '../port.ts';
import { googleCall, googleFault, googleStatus } from './client.ts';
import { isFolder } from './drive-file.ts';

const rowsPerPage = 100;
/** Place of files and folders of others. */
const sharedPlace = 'shared-with-me';

const folderChoice = (name: string, id: string): Choice => ({
  name,
  scope: { field: 'folders', id },
  parent: id,
  isAccessible: true,
});

const choiceOf = (file: drive_v3.Schema$File): Choice => {
  const { id, name } = file;
  if (isFolder(file)) return folderChoice(name ?? '', id ?? '');
  return { name: name ?? '', scope: { field: 'files', id: id ?? '' }, parent: null, isAccessible: true };
};

/** Returns the query of Google's search. Its texts have quotes and backslashes escaped. */
const queryOf = ({ parent, search }: ChoicesInput): string => {
  const text = search.replaceAll(/['\\]/g, String.raw`\$&`);
  const inside = parent === sharedPlace ? 'sharedWithMe = true' : `'${parent ?? ''}' in parents`;
  const parts = [
    ...(parent === null ? [] : [inside]),
    ...(text === '' ? [] : [`name contains '${text}'`]),
    'trashed = false',
  ];
  return parts.join(' and ');
};

/** Lists My Drive, shared drives, and the folders and files in them. */
export const driveChoices = async (rootUrl: string, input: ChoicesInput): Promise<Choices> => {
  const { credentials, now, parent, cursor, search } = input;
  if (parent !== null && !/^[\w-]+$/.test(parent)) throw unknownParent();
  const page = cursor === null ? {} : { pageToken: cursor };
  try {
    const call = googleCall(credentials, rootUrl);
    const { drive } = await import('@googleapis/drive');
    const { files, drives } = drive('v3');
    if (parent === null && search === '') {
      const { data } = await drives.list(
        { pageSize: rowsPerPage, fields: 'nextPageToken,drives(id,name)', ...page },
        call,
      );
      const shared = (data.drives ?? []).map(({ id, name }) => folderChoice(name ?? '', id ?? ''));
      const others = { name: 'Shared with me', scope: null, parent: sharedPlace, isAccessible: true };
      const own = cursor === null ? [folderChoice('My Drive', 'root'), others] : [];
      return { choices: [...own, ...shared], next: data.nextPageToken ?? null };
    }
    const { data } = await files.list(
      {
        q: queryOf(input),
        orderBy: 'folder,name_natural',
        pageSize: rowsPerPage,
        fields: 'nextPageToken,files(id,name,mimeType)',
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        ...page,
      },
      call,
    );
    return { choices: (data.files ?? []).map(choiceOf), next: data.nextPageToken ?? null };
  } catch (error) {
    throw [400, 404].includes(googleStatus(error) ?? 0) ? unknownParent() : googleFault(error, 'Google Drive', now);
  }
};
