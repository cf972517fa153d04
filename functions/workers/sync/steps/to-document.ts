import type { Claim } from '../../../../shared/connectors/index.ts';
import type { SourceDocument } from '../../../../shared/documents/index.ts';
import { maxUrlCharacters } from '../../../../shared/kernel/bounds.ts';
import type { Json } from '../../../../shared/kernel/json.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';
import type { SourceItem } from '../../../../shared/platform/connectors/port.ts';

const maxNameLength = 500;
const maxTextLength = 2_000;

/** Returns the name of an item for messages. */
export const nameOf = ({ title, externalId }: SourceItem): string => headOf(title ?? externalId, maxNameLength);

const withinLimits = (value: Json): Json => (typeof value === 'string' ? headOf(value, maxTextLength) : value);

/** Converts an item to a document. Null if its content had to be fetched and no longer exists. */
export const toDocument = async (
  item: SourceItem,
  { record }: Claim,
  generation: number,
): Promise<SourceDocument | null> => {
  const { externalId, version, filename, contentType, content } = item;
  const title = item.title === null ? null : headOf(item.title, maxNameLength);
  // A URL that is too long is dropped, since a cut one is invalid.
  const url = item.url !== null && item.url.length > maxUrlCharacters ? null : item.url;
  const metadata = {
    ...record.metadata,
    ...Object.fromEntries(Object.entries(item.metadata).map(([name, value]) => [name, withinLimits(value)])),
    provider: record.provider,
    connection_id: record.id,
    document_id: headOf(externalId, maxNameLength),
    ...(title === null ? {} : { title }),
    ...(url === null ? {} : { url }),
  };
  const known = { externalId, filename, contentType, metadata, title, url, generation };
  if (version !== null) return { ...known, version, body: content };
  const bytes = await content();
  return bytes === null ? null : { ...known, version: contentVersion(bytes), body: bytes };
};
