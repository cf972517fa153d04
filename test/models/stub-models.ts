import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { readCredentialScope } from '#local-cloud';
import type { CapabilityId } from '../../shared/kernel/capability.ts';
import { isGranted } from '../support/granted.ts';

/** One request as it came. */
export interface SeenRequest {
  /** `POST /model/…`, or the operation that the header names. */
  readonly operation: string;
  readonly headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
}

/** Response of a model server. `hangs`: never responds. */
export interface StubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly hangs?: boolean;
}

/** A vector that a text alone determines. */
export const vectorOf = (text: string, size: number): readonly number[] => {
  const numbers = Array.from({ length: size }, (_, at) => {
    const digest = createHash('sha256').update(`${at} ${text}`).digest();
    return digest.readInt32LE(0) / 2 ** 31;
  });
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
};

const cohereAnswer = (texts: readonly string[], size: number): StubAnswer => ({
  headers: { 'x-amzn-bedrock-input-token-count': String(texts.length * 7) },
  body: {
    id: 'embedding',
    response_type: 'embeddings_by_type',
    embeddings: { float: texts.map((text) => vectorOf(text, size)) },
    texts,
  },
});

// Shaped as the services' own documentation shows their answers.
const answers: Readonly<Record<string, (body: SeenRequest['body']) => StubAnswer>> = {
  'POST /model/amazon.titan-embed-text-v2:0/invoke': ({ inputText, dimensions }) => {
    const embedding = vectorOf(inputText, dimensions);
    return {
      headers: { 'x-amzn-bedrock-input-token-count': String(inputText.split(/\s+/).length) },
      body: {
        embedding,
        embeddingsByType: { float: embedding },
        inputTextTokenCount: inputText.split(/\s+/).length,
      },
    };
  },
  'POST /model/cohere.embed-multilingual-v3/invoke': ({ texts }) => cohereAnswer(texts, 1_024),
  'POST /model/cohere.embed-v4:0/invoke': ({ texts, output_dimension }) => cohereAnswer(texts, output_dimension),
  'POST /v1/embeddings': ({ input, model }) => ({
    body: {
      object: 'list',
      // In no particular order, as the index is there for.
      data: input
        .map((text: string, index: number) => ({ object: 'embedding', index, embedding: vectorOf(text, 768) }))
        .toReversed(),
      model,
      usage: { prompt_tokens: input.length * 7, total_tokens: input.length * 7 },
    },
  }),
  'Textract.DetectDocumentText': () => ({
    body: {
      DetectDocumentTextModelVersion: '1.0',
      DocumentMetadata: { Pages: 1 },
      Blocks: [
        {
          BlockType: 'PAGE',
          Id: 'p',
          Geometry: { BoundingBox: { Height: 1, Left: 0, Top: 0, Width: 1 }, Polygon: [] },
        },
        { BlockType: 'LINE', Id: 'l1', Confidence: 99.5, Text: 'Seventeen comets were logged', Geometry: {} },
        { BlockType: 'LINE', Id: 'l2', Confidence: 97.5, Text: 'during the winter of 1911', Geometry: {} },
        { BlockType: 'WORD', Id: 'w1', Confidence: 99.5, Text: 'Seventeen', TextType: 'PRINTED', Geometry: {} },
      ],
    },
  }),
  'AmazonSSM.GetParameter': ({ Name }) => ({
    body: { Parameter: { Name, Type: 'SecureString', Value: 'stub-key', Version: 1, DataType: 'text' } },
  }),
};

/** A request in the terms of IAM: the capability that has to allow it, action and resource. Null: not a service of AWS. */
const permissionOf = (
  operation: string,
  body: SeenRequest['body'],
  region: string,
): readonly [capability: CapabilityId, action: string, resource: string] | null => {
  const [, model] = /^POST \/model\/(.+)\/invoke$/.exec(operation) ?? [];
  if (model !== undefined)
    return ['models.embed', 'bedrock:InvokeModel', `arn:aws:bedrock:${region}::foundation-model/${model}`];
  if (operation === 'POST /rerank') return ['models.rerank', 'bedrock:Rerank', '*'];
  const [service = '', name = ''] = operation.split('.');
  const { Name = '', TranscriptionJobName = '' } = body as Readonly<Record<string, string>>;
  const own = (of: string): string => `arn:aws:${of.split(':')[0]}:${region}:000000000000:${of.split(':')[1]}`;
  if (service === 'Textract') return ['models.ocr', `textract:${name}`, '*'];
  if (service === 'AmazonSSM') return ['models.embed', `ssm:${name}`, own(`ssm:parameter${Name}`)];
  if (service !== 'Transcribe') return null;
  const job = name === 'StartTranscriptionJob' ? '*' : own(`transcribe:transcription-job/${TranscriptionJobName}`);
  return ['models.transcribe', `transcribe:${name}`, job];
};

/** The answer to a request that the capability behind it does not allow; undefined for one that it allows. */
const denialOf = ({ operation, headers, body }: SeenRequest): StubAnswer | undefined => {
  const { region = '' } = readCredentialScope(headers.authorization, '/') ?? {};
  const permission = permissionOf(operation, body, region);
  if (permission === null || isGranted(...permission, region)) return undefined;
  const message = `${permission[0]} does not allow ${permission[1]} on ${permission[2]}`;
  return { status: 403, body: { __type: 'AccessDeniedException', message } };
};

const bodyOf = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
};

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

/**
 * Servers that speak the real protocols of Bedrock, Textract, Transcribe, the Parameter Store and OpenAI's embeddings;
 * the SDK is pointed at them. They deny what the capability behind a request does not allow.
 */
export class StubModels {
  readonly seen: SeenRequest[] = [];
  /** Answers to the next requests of an operation, before the ordinary ones. */
  readonly scripted = new Map<string, StubAnswer[]>();
  /** Replaces the ordinary answer of an operation. */
  readonly replaced = new Map<string, (body: SeenRequest['body']) => StubAnswer | Promise<StubAnswer>>();
  openAiUrl = '';
  private readonly closings: (() => void)[] = [];

  count(operation: string): number {
    return this.seen.filter((request) => request.operation === operation).length;
  }

  script(operation: string, ...next: readonly StubAnswer[]): void {
    this.scripted.set(operation, [...(this.scripted.get(operation) ?? []), ...next]);
  }

  async start(): Promise<void> {
    const answer = (
      request: IncomingMessage | http2.Http2ServerRequest,
      response: ServerResponse | http2.Http2ServerResponse,
    ) => {
      this.answer(request as IncomingMessage, response as ServerResponse).catch(() => request.socket.destroy());
    };
    const plain = createServer(answer);
    // Bedrock's clients speak HTTP/2 only.
    const second = http2.createServer(answer);
    const sessions = new Set<http2.ServerHttp2Session>();
    second.on('session', (session) => sessions.add(session));
    const url = `http://127.0.0.1:${await listening(plain)}`;
    const secondUrl = `http://127.0.0.1:${await listening(second)}`;
    this.openAiUrl = `${url}/v1`;
    const variables = {
      AWS_ENDPOINT_URL_TEXTRACT: url,
      AWS_ENDPOINT_URL_TRANSCRIBE: url,
      AWS_ENDPOINT_URL_SSM: url,
      AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME: secondUrl,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: secondUrl,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    Object.assign(process.env, variables);
    this.closings.push(
      () => plain.closeAllConnections(),
      () => plain.close(),
      () => sessions.forEach((session) => session.destroy()),
      () => second.close(),
    );
  }

  stop(): void {
    for (const close of this.closings) close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.headers['x-amz-target'];
    const operation =
      typeof target === 'string' ? target : `${request.method} ${decodeURIComponent(request.url ?? '')}`;
    const body: unknown = JSON.parse((await bodyOf(request)) || '{}');
    const seen = { operation, headers: request.headers, body };
    this.seen.push(seen);
    const known = this.replaced.get(operation) ?? answers[operation];
    const {
      status = 200,
      headers = {},
      body: content = {},
      hangs = false,
    } = denialOf(seen) ?? this.scripted.get(operation)?.shift() ?? (await known?.(body)) ?? { status: 404 };
    if (hangs) return;
    const type = typeof target === 'string' ? 'application/x-amz-json-1.1' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(content));
  }
}
