import { once } from 'node:events';
import type { Command } from '../command.ts';

export const exportRows: Command = {
  usage: 'export > FILE',
  summary: 'writes all rows with their vectors as JSON Lines to stdout',
  options: {},
  run: async (call) => {
    const params = { path: { index_id: await call.indexId() }, query: { limit: 1_000, include_vectors: true } };
    let count = 0;
    for await (const { id, vector, text, metadata } of call
      .client()
      .pages('/v1/indexes/{index_id}/vectors', { params })) {
      const isFull = !process.stdout.write(`${JSON.stringify({ id, vector, text, metadata })}\n`);
      if (isFull) await once(process.stdout, 'drain');
      count += 1;
    }
    call.note(`${count} rows exported`);
  },
};
