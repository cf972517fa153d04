import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { vectorOf } from '../models/stub-models.ts';

interface SeenTexts {
  readonly authorization: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
}

/** A server of this machine with OpenAI's `/embeddings`, whose vectors have `size` numbers. */
export const openEmbeddingServer = async (size: number) => {
  const seen: SeenTexts[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { model, input } = (await json(request)) as SeenTexts;
      seen.push({ authorization: request.headers.authorization, model, input });
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text, size) }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data, usage: { total_tokens: input.length } }));
    };
    answer().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A run of tests ends although it is open.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, seen, close: () => void server.close() };
};
