import { createReadStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { VectorUpsert } from '../../schema.ts';
import { argument, type Call, type Command, exitCodes, manyRetries, UsageError } from '../command.ts';

const [maxRows, maxBytes] = [500, 2 * 1024 * 1024];

type Row = VectorUpsert[number];

/** A line of an export. */
type Line = Row & { readonly embedding_model?: string | null; readonly file?: unknown; readonly version?: unknown };

const parse = (line: string, number: number): Line => {
  try {
    return JSON.parse(line) as Line;
  } catch (error) {
    throw new UsageError(`Line ${number} is no JSON. The lines of earlier batches are written.`, { cause: error });
  }
};

/** Returns the row of a line. Throws UsageError if its vector is of another model than `model`, unless it is dropped. */
const toRow = (line: string, number: number, model: string, embeds: boolean): Row => {
  const { embedding_model: own, file: _file, version: _version, ...row } = parse(line, number);
  if (embeds) {
    const { vector: _vector, ...text } = row;
    return text;
  }
  if (row.vector === undefined || own == null || own === model) return row;
  throw new UsageError(
    `Line ${number} has a vector of the model ${own}, and the index has those of ${model}. Give --embed to embed the texts again. The lines of earlier batches are written.`,
  );
};

const write = async (call: Call, indexId: string, body: VectorUpsert): Promise<void> => {
  if (body.length > 0)
    await call.client().post('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: indexId } }, body });
};

/** Uploads a file of rows and waits until they are written. */
const uploadRows = async (call: Call, file: string, embed: boolean): Promise<number> => {
  const client = call.client();
  const indexId = await call.indexId();
  const contentType = 'application/vnd.apache.parquet';
  const content = await openAsBlob(file);
  const { id } = await client.uploadFile(indexId, { filename: basename(file), contentType, content, embed });
  const { status, error, vectors_written: rows } = await client.waitForFile(indexId, id);
  if (status !== 'completed') {
    call.note(`${file}: ${error ?? status}`);
    return exitCodes.failed;
  }
  call.print({ index_id: indexId, rows, job_id: id }, `${rows} rows imported`);
  return 0;
};

export const importRows: Command = {
  usage: 'import FILE [--embed]',
  summary: 'upserts rows from JSON Lines or .parquet; - reads stdin',
  options: { embed: { type: 'boolean' } },
  retries: manyRetries,
  run: async (call) => {
    const file = argument(call, 0, 'FILE');
    const embeds = call.options['embed'] === true;
    if (file.endsWith('.parquet')) return uploadRows(call, file, embeds);
    const indexId = await call.indexId();
    const params = { path: { index_id: indexId } };
    const { embedding_model: model } = await call.client().get('/v1/indexes/{index_id}', { params });
    const input = file === '-' ? process.stdin : createReadStream(file);
    let [rows, bytes, count, number]: [VectorUpsert, number, number, number] = [[], 0, 0, 0];
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number += 1;
      if (line.trim() === '') continue;
      if (rows.length === maxRows || bytes + line.length > maxBytes) {
        await write(call, indexId, rows);
        call.note(`${count} rows`, true);
        [rows, bytes] = [[], 0];
      }
      rows.push(toRow(line, number, model, embeds));
      bytes += line.length;
      count += 1;
    }
    await write(call, indexId, rows);
    call.print({ index_id: indexId, rows: count }, `${count} rows imported`);
    return 0;
  },
};
