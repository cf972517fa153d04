import type { ExportAddress } from '../exports/index.ts';
import type { ImportRecord } from './record.ts';

/** Returns the address of an export from its uri, `INDEX_ID/EXPORT_ID`, or from that of a part. */
export const exportAddressOf = (organizationId: string, uri: string): ExportAddress => {
  const [indexId = '', exportId = ''] = uri.split('/');
  return { organizationId, indexId, exportId };
};

/** Uri of one file of an export, which an import of that file has. @param number From 1. */
export const partUri = (exportUri: string, number: number): string => `${exportUri}/${number}`;

/** Returns the export and the number of the file that an import copies. Null if its source is no export. */
export const exportPartOf = ({
  organizationId,
  provider,
  uri,
}: ImportRecord): { readonly address: ExportAddress; readonly number: number } | null =>
  provider === 'export' ? { address: exportAddressOf(organizationId, uri), number: Number(uri.split('/')[2]) } : null;
