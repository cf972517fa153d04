import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { VectorUpsert } from '../../schema.ts';
import { argument, type Call, type Command, UsageError } from '../command.ts';

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

export const importRows: Command = {
  usage: 'import FILE',
  summary: 'upserts rows from JSON Lines; - reads stdin',
  options: {},
  run: async (call) => {
    const file = argument(call, 0, 'FILE');
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
  },
};
