import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { contentVersion } from '../content-version.ts';
import type { SourceChange } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { fileNameOf, splitFileName, textAt } from '../read-text.ts';
import { plainId, type Reading } from './entry.ts';

const maxBytes = 128 * 1024 * 1024;
const downloadTimeoutMs = 180_000;

/** Blocks whose file is read. */
const fileBlocks: ReadonlySet<string> = new Set(['file', 'pdf', 'audio']);

const fetchFile = async (get: PublicGet, url: string, now: Date): Promise<Uint8Array | null> => {
  const limits = { maxBytes, timeoutMs: downloadTimeoutMs, followsRedirects: true };
  // The address is valid for an hour.
  const denied = { deniedStatuses: [400, 401, 403], provider: 'Notion' };
  return (await get({ url, method: 'GET', headers: {}, ...limits, ...denied }, now))?.bytes ?? null;
};

const nameOf = (content: JsonObject, { pathname }: URL): string => {
  const name = textAt(content, 'name');
  if (name !== '') return name;
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  } catch {
    return 'file';
  }
};

/** Returns the files in blocks of a page that Notion stores. `of`: the page, with metadata and address. */
export const filesIn = (
  { files: get, input }: Reading,
  blocks: readonly JsonObject[],
  of: { readonly id: string; readonly url: string | null; readonly metadata: JsonObject },
): readonly SourceChange[] =>
  blocks.flatMap((block): readonly SourceChange[] => {
    const type = textAt(block, 'type');
    const content = block[type];
    if (!fileBlocks.has(type) || !isObject(content) || !isObject(content['file'])) return [];
    const address = textAt(content['file'], 'url');
    const url = URL.parse(address);
    if (url === null) return [];
    const name = nameOf(content, url);
    const [base, ending] = splitFileName(name);
    const item = {
      externalId: `${plainId(of.id)}:${plainId(textAt(block, 'id'))}`,
      // Each upload has a path of its own; the query is a signature.
      version: contentVersion(`${url.origin}${url.pathname}`),
      filename: fileNameOf(base, ending),
      contentType: type === 'pdf' ? 'application/pdf' : 'application/octet-stream',
      content: () => fetchFile(get, address, input.now),
      title: name,
      url: of.url,
      metadata: of.metadata,
    };
    return [{ kind: 'upsert', item }];
  });
