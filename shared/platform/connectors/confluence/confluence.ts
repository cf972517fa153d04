import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import {
  type Choices,
  choicesNamed,
  type ChoicesInput,
  type ConnectorSource,
  failed,
  type SourceChange,
  SourceFault,
  type Step,
  type StepInput,
  unknownParent,
} from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { fileNameOf, splitFileName, textAt } from '../read-text.ts';
import { openSite, type Site, type SiteList } from './site.ts';

const pagesPerList = 100;
const spacesPerList = 100;

/** Lists of a space, in the order in which they are read. */
const kinds = ['pages', 'blogposts', 'attachments'] as const;

/** Position of a sync, stored in its state. */
interface Place {
  /** Position of the space in the scope, sorted by key. */
  readonly space: number;
  readonly kind: number;
  /** Path of the next page of the list; null at its beginning. */
  readonly next: string | null;
  /** The space, once it was requested. */
  readonly found: { readonly id: string; readonly name: string } | null;
}

const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value: Json | undefined = object[name];
  return isObject(value) ? value : {};
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Fetches a page as people see it, with the results of its macros. */
const contentOf = async (site: Site, kind: string, id: string, title: string): Promise<Uint8Array | null> => {
  const page = await site.get(`/${kind}/${id}?body-format=export_view`);
  if (page === null || textAt(page, 'status') !== 'current') return null;
  const body = textAt(objectAt(objectAt(page, 'body'), 'export_view'), 'value');
  const name = escaped(title);
  const html = `<!doctype html><html><head><meta charset="utf-8"><title>${name}</title></head><body><main><h1>${name}</h1>${body}</main></body></html>`;
  return new TextEncoder().encode(html);
};

const changeOf = (
  site: Site,
  kind: string,
  space: { readonly key: string; readonly name: string },
  page: JsonObject,
): readonly SourceChange[] => {
  const [id, title] = [textAt(page, 'id'), textAt(page, 'title')];
  // Others never get into an address.
  if (!/^\d+$/.test(id)) return [];
  const link = textAt(objectAt(page, '_links'), 'webui');
  const item = {
    externalId: id,
    version: JSON.stringify(objectAt(page, 'version')['number'] ?? null),
    filename: fileNameOf(title, '.html'),
    contentType: 'text/html',
    content: () => contentOf(site, kind, id, title),
    title: title === '' ? null : title,
    url: link === '' ? null : `${site.url}/wiki${link}`,
    metadata: { space: space.name, space_key: space.key },
  };
  return [{ kind: 'upsert', item }];
};

/** Types of pictures and films, which are left out as with other sources. */
const unreadTypes = /^(?:image|video)\//;

/** Returns the attachment of a page. Those of drafts and archived pages are left out. */
const attachmentOf = (
  site: Site,
  space: { readonly key: string; readonly name: string },
  row: JsonObject,
): readonly SourceChange[] => {
  const [id, title, container] = [textAt(row, 'id'), textAt(row, 'title'), objectAt(row, 'container')];
  const pageId = textAt(container, 'id');
  const extensions = objectAt(row, 'extensions');
  const [mediaType, fileSize] = [textAt(extensions, 'mediaType'), extensions['fileSize']];
  // Others never get into an address.
  if (!/^att\d+$/.test(id) || !/^\d+$/.test(pageId) || unreadTypes.test(mediaType)) return [];
  if (textAt(container, 'status') !== 'current') return [];
  const link = textAt(objectAt(row, '_links'), 'webui');
  const sizeBytes = typeof fileSize === 'number' ? fileSize : 0;
  const [name, ending] = splitFileName(title);
  const item = {
    externalId: id,
    version: JSON.stringify(objectAt(row, 'version')['number'] ?? null),
    filename: fileNameOf(name, ending),
    contentType: mediaType === '' ? 'application/octet-stream' : mediaType,
    content: () => site.download({ id, pageId, sizeBytes }),
    sizeBytes,
    title: title === '' ? null : title,
    url: link === '' ? null : `${site.url}/wiki${link}`,
    metadata: { space: space.name, space_key: space.key },
  };
  return [{ kind: 'upsert', item }];
};

/** Lists pages, blog posts or attachments of a space. */
const listOf = (
  site: Site,
  kind: (typeof kinds)[number],
  { id, key }: { readonly id: string; readonly key: string },
  next: string | null,
): Promise<SiteList | null> =>
  kind === 'attachments'
    ? site.search(`space = "${key.replaceAll(/["\\]/g, '\\$&')}" and type = attachment order by created`, next)
    : site.list(next ?? `/spaces/${id}/${kind}?status=current&sort=id&limit=${pagesPerList}`);

const findSpace = async (site: Site, key: string): Promise<Place['found']> => {
  const list = await site.list(`/spaces?keys=${encodeURIComponent(key)}&limit=1`);
  const [space] = list?.rows ?? [];
  const id = space === undefined ? '' : textAt(space, 'id');
  return /^\d+$/.test(id) ? { id, name: textAt(space ?? {}, 'name') } : null;
};

const goOn = (place: Place, changes: readonly SourceChange[], reached: readonly string[] = []): Step => ({
  changes,
  state: { ...place },
  done: false,
  removesUnseen: false,
  reached,
});

const step = async (site: Site, { scope }: StepInput, place: Place): Promise<Step> => {
  const { space: at, kind: listed, next } = place;
  const key = [...new Set(scope.confluence_spaces)].toSorted()[at];
  const following = { space: at + 1, kind: 0, next: null, found: null };
  if (key === undefined) return { changes: [], state: null, done: true, removesUnseen: true };
  const found = place.found ?? (await findSpace(site, key));
  if (found === null) {
    const message = `The space ${key} is not accessible: check its key, and that the account may view it`;
    return goOn(following, [failed(message, { place: `space:${key}` })]);
  }
  const kind = kinds[listed];
  const isOver = kind === undefined || (kind === 'attachments' && !scope.attachments);
  if (isOver) return goOn(following, [], [`space:${key}`]);
  const page = await listOf(site, kind, { id: found.id, key }, next);
  // The cursor is no longer known, or the space was deleted.
  if (page === null) throw new SourceFault('state_lost', 'Confluence no longer knows the position in a space');
  const space = { key, name: found.name };
  const changes = page.rows.flatMap((row) =>
    kind === 'attachments' ? attachmentOf(site, space, row) : changeOf(site, kind, space, row),
  );
  return goOn({ space: at, kind: listed + (page.next === null ? 1 : 0), next: page.next, found }, changes);
};

/** Lists the spaces that the account can view. */
const spaceChoices = async (site: Site, { parent, cursor, search }: ChoicesInput): Promise<Choices> => {
  if (parent !== null) throw unknownParent();
  const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const list = await site.list(`/spaces?status=current&limit=${spacesPerList}${from}`);
  if (list === null) throw unknownParent();
  const choices = list.rows.map((space) => {
    const id = textAt(space, 'key');
    const scope = { field: 'confluence_spaces', id } as const;
    return { name: textAt(space, 'name') || id, scope, parent: null, isAccessible: true };
  });
  const next = list.next === null ? null : new URL(list.next, site.url).searchParams.get('cursor');
  return { choices: choicesNamed(choices, search), next };
};

/**
 * Source of Confluence Cloud: each page and blog post of the spaces in scope is a document. Each sync lists them with
 * their versions, so that pages that were archived, deleted or moved to another space leave the index.
 */
export const confluenceSource = (get: PublicGet): ConnectorSource => ({
  step: (input) => {
    const place = input.state as unknown as Place | null;
    const site = openSite(get, input.credentials, input.now);
    return step(site, input, place ?? { space: 0, kind: 0, next: null, found: null });
  },
  choices: (input) => spaceChoices(openSite(get, input.credentials, input.now), input),
});
