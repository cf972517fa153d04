import { createReadStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { VectorUpsert } from '../../schema.ts';
import { argument, type Call, type Command, exitCodes, manyRetries, UsageError } from '../command.ts';

const [maxRows, maxBytes] = [500, 2 * 1024 * 1024];

const parse = (line: string, number: number): VectorUpsert[number] => {
  try {
    return JSON.parse(line) as VectorUpsert[number];
  } catch (error) {
    throw new UsageError(`Line ${number} is no JSON. The lines of earlier batches are written.`, { cause: error });
  }
};

const write = async (call: Call, indexId: string, body: VectorUpsert): Promise<void> => {
  if (body.length > 0)
    await call.client().post('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: indexId } }, body });
};

/** Uploads a file of rows and waits until they are written. */
const uploadRows = async (call: Call, file: string): Promise<number> => {
  const client = call.client();
  const indexId = await call.indexId();
  const contentType = 'application/vnd.apache.parquet';
  const content = await openAsBlob(file);
  const { id } = await client.uploadFile(indexId, { filename: basename(file), contentType, content });
  const { status, error, vectors_written: rows } = await client.waitForFile(indexId, id);
  if (status !== 'completed') {
    call.note(`${file}: ${error ?? status}`);
    return exitCodes.failed;
  }
  call.print({ index_id: indexId, rows, job_id: id }, `${rows} rows imported`);
  return 0;
};

export const importRows: Command = {
  usage: 'import FILE',
  summary: 'upserts rows from JSON Lines or .parquet; - reads stdin',
  options: {},
  retries: manyRetries,
  run: async (call) => {
    const file = argument(call, 0, 'FILE');
    if (file.endsWith('.parquet')) return uploadRows(call, file);
    const indexId = await call.indexId();
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
      rows.push(parse(line, number));
      bytes += line.length;
      count += 1;
    }
    await write(call, indexId, rows);
    call.print({ index_id: indexId, rows: count }, `${count} rows imported`);
    return 0;
  },
};
