import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pause } from '../../pause.ts';
import type { components } from '../../schema.ts';
import { toAsOf } from '../as-of.ts';
import { type Call, type Command, exitCodes, manyRetries, textOption, UsageError } from '../command.ts';

const pollMs = 1_000;

const isFormat = (format: string): format is 'jsonl' | 'parquet' => format === 'jsonl' || format === 'parquet';

/** Writes all rows to stdout, page by page, each with the model of its vector. */
const printRows = async (
  call: Call,
  vectors: 'include' | 'omit',
  former: { readonly as_of?: string },
): Promise<void> => {
  const client = call.client();
  const path = { index_id: await call.indexId() };
  const { embedding_model } = await client.get('/v1/indexes/{index_id}', { params: { path } });
  const hasVectors = vectors === 'include';
  const params = { path, query: { limit: 1_000, include_vectors: hasVectors, ...former } };
  let count = 0;
  for await (const { id, vector, text, metadata } of client.pages('/v1/indexes/{index_id}/vectors', { params })) {
    const row = hasVectors ? { id, vector, embedding_model, text, metadata } : { id, text, metadata };
    const isFull = !process.stdout.write(`${JSON.stringify(row)}\n`);
    if (isFull) await once(process.stdout, 'drain');
    count += 1;
  }
  call.note(`${count} rows exported`);
};

/** Exports one version of the index by a job, and downloads its files. */
const downloadExport = async (
  call: Call,
  body: components['schemas']['ExportCreate'],
  directory: string,
): Promise<number> => {
  const client = call.client();
  const path = { index_id: await call.indexId() };
  const { id } = await client.post('/v1/indexes/{index_id}/exports', { params: { path }, body });
  const get = () =>
    client.get('/v1/indexes/{index_id}/exports/{export_id}', { params: { path: { ...path, export_id: id } } });
  let report = await get();
  while (report.status === 'queued' || report.status === 'running') {
    call.note(`${report.rows} rows`, true);
    await pause(pollMs);
    report = await get();
  }
  if (report.status === 'failed') {
    call.note(`${id}: ${report.error ?? 'failed'}`);
    return exitCodes.failed;
  }
  await mkdir(directory, { recursive: true });
  for (const { filename, url } of report.parts) {
    const { ok, status, body } = await fetch(url);
    if (!ok || body === null) throw new Error(`${filename} was refused with status ${status}`);
    await pipeline(Readable.fromWeb(body), createWriteStream(join(directory, filename)));
  }
  call.print({ ...report, parts: report.parts.length }, `${report.rows} rows in ${report.parts.length} files (${id})`);
  return 0;
};

export const exportRows: Command = {
  usage: 'export > FILE | export DIR [--format jsonl|parquet] [--no-vectors] [--as-of VERSION|TIME]',
  summary: 'writes all rows with vectors: JSON Lines to stdout, or files to DIR',
  options: { format: { type: 'string' }, 'no-vectors': { type: 'boolean' }, 'as-of': { type: 'string' } },
  retries: manyRetries,
  run: async (call) => {
    const [directory] = call.args;
    const format = textOption(call, 'format') ?? 'jsonl';
    if (!isFormat(format)) throw new UsageError(`--format is "${format}". Give jsonl or parquet.`);
    const vectors = call.options['no-vectors'] === true ? 'omit' : 'include';
    const asOf = textOption(call, 'as-of');
    if (directory !== undefined) {
      const former = asOf === undefined ? {} : { as_of: toAsOf(asOf) };
      return downloadExport(call, { format, vectors, ...former }, directory);
    }
    if (format === 'parquet') throw new UsageError('Parquet is written to files. Give a DIR.');
    return printRows(call, vectors, asOf === undefined ? {} : { as_of: asOf });
  },
};
