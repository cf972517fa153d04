import type { JsonObject } from '../../../kernel/json.ts';
import { type Choice, type Choices, choicesNamed, type ChoicesInput, unknownParent } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';
import { type DriveItem, externalIdOf, isFile, isFolder, itemPath } from './drive-item.ts';
import { type Graph, openGraph } from './graph.ts';
import { addressOf, ownDrive } from './scope.ts';

const rowsPerPage = 100;

/** Positions below the top: libraries of a site, the top of a drive, or a folder as `DRIVE/ITEM`. */
const sitePrefix = 'site:';
const drivePrefix = 'drive:';

const siteChoice = (site: JsonObject): Choice => {
  const id = textAt(site, 'id');
  const name = textAt(site, 'displayName') || textAt(site, 'name') || id;
  return { name, scope: { field: 'sites', id }, parent: `${sitePrefix}${id}`, isAccessible: true };
};

const libraryChoice = (drive: JsonObject): Choice => {
  const id = textAt(drive, 'id');
  return {
    name: textAt(drive, 'name'),
    scope: { field: 'libraries', id },
    parent: `${drivePrefix}${id}`,
    isAccessible: true,
  };
};

const itemChoice = (drive: string, item: DriveItem): readonly Choice[] => {
  const id = externalIdOf(drive, textAt(item, 'id'));
  const name = textAt(item, 'name');
  if (isFolder(item)) return [{ name, scope: { field: 'folders', id }, parent: id, isAccessible: true }];
  return isFile(item) ? [{ name, scope: { field: 'files', id }, parent: null, isAccessible: true }] : [];
};

/** A list of Microsoft Graph, and how its rows are shown. */
interface Listing {
  readonly path: string;
  readonly toChoices: (row: JsonObject) => readonly Choice[];
}

const select = (fields: string): string => `$select=${fields}&$top=${rowsPerPage}`;

const listingOf = ({ parent, search }: ChoicesInput): Listing => {
  if (parent === null)
    return {
      path: `/sites?search=${encodeURIComponent(search === '' ? '*' : search)}&${select('id,name,displayName')}`,
      toChoices: (row) => [siteChoice(row)],
    };
  if (parent.startsWith(sitePrefix)) {
    const id = parent.slice(sitePrefix.length);
    if (!/^[\w.,-]+$/.test(id)) throw unknownParent();
    return { path: `/sites/${id}/drives?${select('id,name')}`, toChoices: (row) => [libraryChoice(row)] };
  }
  const isDrive = parent.startsWith(drivePrefix);
  const address = addressOf(isDrive ? `${parent.slice(drivePrefix.length)}/root` : parent, null);
  if (address === null) throw unknownParent();
  const { drive, item } = address;
  const place = isDrive ? `/drives/${encodeURIComponent(drive)}/root` : itemPath(drive, item);
  return {
    path: `${place}/children?${select('id,name,folder,file')}`,
    toChoices: (row) => itemChoice(drive, row),
  };
};

/** Returns the cursor in the path of a next page, whose other parts stay. */
const cursorOf = (path: string | null): string | null =>
  path === null ? null : new URL(path, 'https://graph.invalid').searchParams.get('$skiptoken');

const ownChoice = async (graph: Graph, user: string): Promise<Choice> => ({
  name: 'OneDrive',
  scope: { field: 'folders', id: 'root' },
  parent: `${drivePrefix}${await ownDrive(graph, user)}`,
  isAccessible: true,
});

/** Lists sites, their libraries, and the folders and files in them. */
export const microsoftChoices = async (
  provider: 'sharepoint' | 'one_drive',
  get: PublicGet,
  address: string,
  input: ChoicesInput,
): Promise<Choices> => {
  const graph = openGraph(get, input, address);
  if (provider === 'one_drive' && input.parent === null)
    return { choices: [await ownChoice(graph, textAt(input.credentials, 'user'))], next: null };
  const { path, toChoices } = listingOf(input);
  const from = input.cursor === null ? '' : `&$skiptoken=${encodeURIComponent(input.cursor)}`;
  const page = await graph.page(`${path}${from}`);
  if (page === null) throw unknownParent();
  const choices = page.rows.flatMap(toChoices);
  // Sites were searched by Microsoft.
  const shown = input.parent === null ? choices : choicesNamed(choices, input.search);
  return { choices: shown, next: cursorOf(page.next) };
};
