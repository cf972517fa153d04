import { createServer, type IncomingMessage } from 'node:http';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { svixRelay } from '../../../functions/services/svix-relay/service.ts';
import { deliver } from '../../../functions/workers/deliver/worker.ts';
import { relay } from '../../../functions/workers/relay/worker.ts';
import { sweep } from '../../../functions/workers/sweep/schedule.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import { handleService } from '../../../shared/pipeline/handle.ts';
import { type Cloud, listening } from '../../support/emulated-cloud.ts';
import { postToReceiver } from './receiver.ts';
import { SvixStub } from './svix-stub.ts';

/** Delivery provider with its backend, under the clock of a test cloud. */
export interface ProviderHarness {
  /** Configured for the provider. */
  readonly runtime: Runtime;
  /** Relays recorded events and makes due attempts. */
  settle(): Promise<void>;
  /** Advances the clock, drops delayed messages, and processes the work that the sweep finds in tables. */
  later(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

export const builtInHarness = (cloud: Cloud): Promise<ProviderHarness> => {
  const { runtime } = cloud;
  const settle = async (): Promise<void> => {
    await cloud.drain(relay);
    await cloud.drain(deliver, { ...makeDeps(deliver.uses, runtime), post: postToReceiver });
  };
  return Promise.resolve({
    runtime,
    settle,
    later: async (seconds) => {
      cloud.advance(seconds);
      await cloud.purge('deliver');
      await cloud.tick(sweep);
      await settle();
    },
    stop: () => Promise.resolve(),
  });
};

const Answer = z.object({ statusCode: z.int(), headers: z.record(z.string(), z.string()), body: z.string() });

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** Starts an HTTP server in front of the relay, in place of API Gateway. */
const serveRelay = (runtime: () => Runtime) =>
  createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const deps = { ...makeDeps(svixRelay.uses, runtime()), post: postToReceiver };
      const handle = handleService(
        {
          ...svixRelay,
          uses: Object.fromEntries(Object.entries(deps).map(([key, port]) => [key, { needs: [], make: () => port }])),
        },
        { runtime: runtime() },
      );
      const [organization_id, endpoint_id] = (request.url ?? '').split('/').slice(-2);
      const event = {
        headers: request.headers,
        pathParameters: { organization_id, endpoint_id },
        body: await textOf(request),
      };
      // The service does not read the context.
      const answer = await handle(event, { getRemainingTimeInMillis: () => 1 } as Context);
      const { statusCode, headers, body } = Answer.parse(answer);
      response.writeHead(statusCode, headers).end(body);
    };
    serve().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

/** Starts a stub of the Parameter Store with one secret. */
const serveParameter = (name: string, value: string) =>
  createServer((request, response) => {
    void textOf(request).then((text) => {
      const { Name } = JSON.parse(text) as { Name: string };
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      if (Name === name) response.end(JSON.stringify({ Parameter: { Name, Value: value } }));
      else response.writeHead(400).end(JSON.stringify({ __type: 'ParameterNotFound' }));
    });
  });

export interface SvixHarness extends ProviderHarness {
  readonly svix: SvixStub;
  readonly relayUrl: string;
}

export const svixHarness = async (cloud: Cloud): Promise<SvixHarness> => {
  const svix = new SvixStub(cloud.runtime.clock);
  const svixUrl = await svix.start();
  const parameters = serveParameter('/test/svix-api-key', svix.key);
  process.env['AWS_ENDPOINT_URL_SSM'] = await listening(parameters);
  let runtime: Runtime = cloud.runtime;
  const api = serveRelay(() => runtime);
  const relayUrl = await listening(api);
  runtime = {
    ...cloud.runtime,
    config: {
      ...cloud.runtime.config,
      delivery: { ...cloud.runtime.config.delivery, provider: 'svix', svixUrl, relayUrl },
    },
  };
  const settle = async (): Promise<void> => {
    await cloud.drain(relay, makeDeps(relay.uses, runtime));
    await svix.pump();
  };
  return {
    runtime,
    svix,
    relayUrl,
    settle,
    later: async (seconds) => {
      cloud.advance(seconds);
      await cloud.tick(sweep);
      await settle();
    },
    stop: async () => {
      svix.stop();
      for (const server of [parameters, api]) {
        server.closeAllConnections();
        await new Promise((resolve) => {
          server.close(resolve);
        });
      }
    },
  };
};
