import type { Claim } from '../../../../shared/connectors/index.ts';
import type { SourceDocument } from '../../../../shared/documents/index.ts';
import { maxUrlCharacters } from '../../../../shared/kernel/bounds.ts';
import type { Json } from '../../../../shared/kernel/json.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { contentVersion } from '../../../../shared/platform/connectors/content-version.ts';
import type { SourceItem } from '../../../../shared/platform/connectors/port.ts';

const maxNameLength = 500;
const maxTextLength = 2_000;

/** What a person knows an item by. */
export const nameOf = ({ title, externalId }: SourceItem): string => headOf(title ?? externalId, maxNameLength);

const withinLimits = (value: Json): Json => (typeof value === 'string' ? headOf(value, maxTextLength) : value);

/** The document that an item is; null where its content had to be fetched for that and has gone. */
export const toDocument = async (
  item: SourceItem,
  { record }: Claim,
  generation: number,
): Promise<SourceDocument | null> => {
  const { externalId, version, filename, contentType, content } = item;
  const title = item.title === null ? null : headOf(item.title, maxNameLength);
  // An address that is cut leads nowhere.
  const url = item.url !== null && item.url.length > maxUrlCharacters ? null : item.url;
  const metadata = {
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
