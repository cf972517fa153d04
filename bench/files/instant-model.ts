import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

/** A model server of this process, whose vectors depend on the text alone and mean nothing. */
export interface InstantModel {
  /** CloudFormation parameters of a service that uses it. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly close: () => void;
}

const vectorOf = (text: string, dimensions: number): readonly number[] => {
  let state = crc32(text) | 1;
  return Array.from({ length: dimensions }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state % 1_000) / 1_000;
  });
};

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

/** Serves an embedding model that responds at once, so that only the service is measured. */
export const serveInstantModel = async (dimensions: number): Promise<InstantModel> => {
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: readonly Buffer[]) => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: readonly string[] };
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimensions) }));
      const usage = { prompt_tokens: 1, total_tokens: 1 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data, model: 'instant', usage }));
    });
  });
  const port = await listen(server);
  return {
    parameters: {
      EmbeddingProvider: 'openai',
      EmbeddingModel: 'instant',
      EmbeddingBaseUrl: `http://127.0.0.1:${port}/v1`,
    },
    close: () => {
      server.close();
    },
  };
};
