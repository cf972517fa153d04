import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { LocalCloud, LocalCloudOptions } from './start-local-cloud.ts';
import { packed } from './build/packed.ts';
import { restartCode } from './dev/watch-sources.ts';
import { projectDirectory } from '../../../scripts/support/project-directory.ts';
import { type AwsShape, defaultAwsShape, readAwsShape } from './shape/aws-shape.ts';
import { letHeapGrow } from '../../../shared/kernel/heap-growth.ts';
import { readCommandLine } from '../../../scripts/support/read-command-line.ts';
import { modelFolderFiles } from '../../../shared/platform/models/assets.ts';
import { rerankerFolderFiles } from '../../../shared/platform/rerank/names.ts';

const defaultPort = 8787;
/** Growth of the heap between two garbage collections. A collection stops all requests. */
const heapGrowthPercent = 300;

const { latencyMs, s3BytesPerSecond } = defaultAwsShape;

const usage = `npm start -- [options]
  --port N                  port of the HTTP API (default ${defaultPort}; 0 takes a free one)
  --data DIR                directory of all data (default .data)
  --regions A,B             regions that indexes may live in, the first is home (default us-east-1)
  --allow-local-webhooks    let webhook addresses be http://localhost
  --crawl-local-address A   the one loopback address that crawls may read, such as 127.0.0.1:8080
  --embedding-model DIR     folder with an embedding model for new indexes (default: the embedded one)
  --reranker CHOICE         folder with a cross-encoder, file with a reranker as the context of that name, or off
  --embedding-models FILE   list of further embedding models, as the context embeddingModels of a deployment
  --speech-model DIR        folder with a speech model that transcribes recordings (default: LOCAL_ASR_MODEL_DIR)
  --parameter NAME=VALUE    value of a parameter of the stacks; can be repeated
  --aws-shape               run as AWS does: index tables in a bucket, latency, functions frozen between invocations
  --aws-latency NAME=N      milliseconds of s3 (${latencyMs.s3}), dynamodb (${latencyMs.dynamodb}), sqs (${latencyMs.sqs}), invoke (${latencyMs.invoke}), or
                            s3-rate (${s3BytesPerSecond / 1_000_000} MB/s a function); can be repeated
  --isolate                 give each function processes of its own, so that a crash of native code ends no other
  --trace                   record requests for POST /_local/trace, which measurements read
  --inspect FUNCTION        open a debugger port in processes of this function, such as create-index; can be repeated
  --watch                   load changed code while running; "npm run dev" also starts again if templates change
  --json                    print one line of JSON to stdout once requests are served
  --verbose                 print warnings of functions
`;

interface Arguments {
  readonly options: LocalCloudOptions;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly watch: boolean;
}

/** Reads `NAME=VALUE`, a parameter of the stacks. */
const readParameter = (text: string): readonly [string, string] => {
  const [, name, value] = /^([A-Za-z0-9]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`--parameter ${text}: give it as NAME=VALUE`);
  return [name, value];
};

/** Checks the folder of the speech model at the start. Otherwise a wrong folder would only fail the first recording. */
const readSpeechModel = (folder: string): Pick<LocalCloudOptions, 'speechModelDirectory'> => {
  if (folder === '') return {};
  if (!existsSync(join(folder, 'speech.json')))
    throw new Error(`--speech-model ${folder}: there is no speech.json in it`);
  return { speechModelDirectory: resolve(folder) };
};

/** Checks the folder of the embedding model at the start, and reads the name of the model. */
const readEmbeddingModel = async (folder: string): Promise<Pick<LocalCloudOptions, 'embeddingModel'>> => {
  if (folder === '') return {};
  const missing = modelFolderFiles.find((file) => !existsSync(join(folder, file)));
  if (missing !== undefined) throw new Error(`--embedding-model ${folder}: there is no ${missing} in it`);
  const { readEmbeddingConfig } = await import('../../../shared/platform/models/model-folder.ts');
  const { name } = await readEmbeddingConfig(folder);
  return { embeddingModel: { directory: resolve(folder), name } };
};

/** Reads the file with the list of further embedding models. The start checks the list. */
const readModelFile = (file: string): readonly unknown[] => {
  if (file === '') return [];
  try {
    const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(list)) return list as readonly unknown[];
  } catch (error) {
    throw new Error(`--embedding-models ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  throw new Error(`--embedding-models ${file}: the file must contain a list`);
};

/** Reads the choice of a reranker: a folder, a file, or `off`. The start checks the content of a file. */
const readRerankerChoice = async (choice: string): Promise<Pick<LocalCloudOptions, 'reranker'>> => {
  if (choice === '') return {};
  if (choice === 'off') return { reranker: { provider: 'off' } };
  if (!existsSync(choice)) throw new Error(`--reranker ${choice}: there is no such folder or file`);
  if (statSync(choice).isFile()) return { reranker: readFileSync(choice, 'utf8') };
  const missing = rerankerFolderFiles.find((file) => !existsSync(join(choice, file)));
  if (missing !== undefined) throw new Error(`--reranker ${choice}: there is no ${missing} in it`);
  const { readRerankerConfig } = await import('../../../shared/platform/rerank/cross-encoder.ts');
  const { name } = await readRerankerConfig(choice);
  return { reranker: { provider: 'model-folder', model: name, directory: resolve(choice) } };
};

type ModelOptions = Readonly<Record<'embedding-model' | 'embedding-models' | 'reranker' | 'speech-model', string>>;

const readModels = async (values: ModelOptions) => ({
  ...(await readEmbeddingModel(values['embedding-model'])),
  embeddingModels: readModelFile(values['embedding-models']),
  ...(await readRerankerChoice(values.reranker)),
  ...readSpeechModel(values['speech-model']),
});

const readShape = (latencies: readonly string[]): AwsShape => {
  if (process.platform === 'win32') throw new Error('--aws-shape: Windows cannot freeze processes');
  return readAwsShape(latencies);
};

const readLocalAddress = (address: string): string => {
  if (address === '' || /^127\.0\.0\.1:\d{1,5}$/.test(address)) return address;
  throw new Error(`--crawl-local-address ${address}: give 127.0.0.1 and a port, such as 127.0.0.1:8080`);
};

const readArguments = async (args: readonly string[]): Promise<Arguments> => {
  const { values } = readCommandLine({
    args: [...args],
    options: {
      port: { type: 'string', default: String(defaultPort) },
      data: { type: 'string', default: join(packed === null ? projectDirectory : process.cwd(), '.data') },
      regions: { type: 'string', default: 'us-east-1' },
      'allow-local-webhooks': { type: 'boolean', default: false },
      'crawl-local-address': { type: 'string', default: '' },
      'embedding-model': { type: 'string', default: '' },
      'embedding-models': { type: 'string', default: '' },
      reranker: { type: 'string', default: '' },
      'speech-model': { type: 'string', default: process.env['LOCAL_ASR_MODEL_DIR'] ?? '' },
      parameter: { type: 'string', multiple: true, default: [] },
      'aws-shape': { type: 'boolean', default: false },
      'aws-latency': { type: 'string', multiple: true, default: [] },
      isolate: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      inspect: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port ${values.port} is not a port: give a number from 0 to 65535`);
  }
  return {
    json: values.json,
    verbose: values.verbose,
    watch: values.watch,
    options: {
      port,
      dataDirectory: resolve(values.data),
      regions: values.regions.split(',').map((region) => region.trim()),
      reach: {
        allowLocalWebhooks: values['allow-local-webhooks'],
        crawlLocalAddress: readLocalAddress(values['crawl-local-address']),
      },
      parameters: Object.fromEntries(values.parameter.map(readParameter)),
      isolate: values.isolate,
      trace: values.trace,
      inspect: values.inspect,
      ...(await readModels(values)),
      ...(values['aws-shape'] ? { shape: readShape(values['aws-latency']) } : {}),
    },
  };
};

/**
 * Factor by which V8 enlarges the young generation, 2 by default. Loading code would enlarge it once and for all: without
 * growth during the start, the idle service has 30 MB less.
 */
const youngGenerationGrowth = (factor: 1 | 2): string => `--semi-space-growth-factor=${factor}`;

/** Last phase of a start. */
const ready = 'ready';

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const describe = (cloud: LocalCloud, dataDirectory: string): string => {
  const facts = {
    'API key': cloud.apiKey,
    'session token': cloud.sessionToken,
    organization: cloud.organizationId,
    console: cloud.consoleUrl,
    guides: `${cloud.baseUrl}/guides`,
    'API reference': cloud.docsUrl,
    data: dataDirectory,
  };
  const lines = Object.entries(facts).map(([name, value]) =>
    value === null ? '' : `  ${name.padEnd(13)}  ${value}\n`,
  );
  return `\nStrata serves ${cloud.baseUrl}\n\n${lines.join('')}\nCtrl-C stops it.`;
};

const announce = (cloud: LocalCloud, { json, options }: Arguments): void => {
  if (json) {
    const line = {
      base_url: cloud.baseUrl,
      api_key: cloud.apiKey,
      session_token: cloud.sessionToken,
      organization_id: cloud.organizationId,
      docs_url: cloud.docsUrl,
      console_url: cloud.consoleUrl,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  } else {
    say(describe(cloud, options.dataDirectory));
  }
  if (cloud.sessionToken === null) {
    const made = cloud.organizationId === null ? 'makes the first organization' : 'opens a session';
    say(`POST ${cloud.baseUrl}/v1/auth/bootstrap with an ID token of ${cloud.trustedIssuer} as the bearer ${made}.`);
  }
};

/** Maximum of open files below which the service may run out of them under load. */
const fewOpenFiles = 1_024;

const warnAboutOpenFiles = async (): Promise<void> => {
  const { maxOpenFiles } = await import('./host/process-usage.ts');
  const limit = maxOpenFiles();
  if (limit !== null && limit < fewOpenFiles)
    say(`warning: a process may open only ${limit} files; raise the limit by ulimit -n ${4 * fewOpenFiles}`);
};

/** Stops the service, then the process with `code`. */
const stopService = (cloud: LocalCloud, code: number): void => {
  cloud.close().then(
    () => process.exit(code),
    (error: unknown) => {
      say(String(error));
      process.exit(1);
    },
  );
};

const stopOnSignal = (cloud: LocalCloud): void => {
  let stopping = false;
  const stop = (): void => {
    if (stopping) {
      process.exit(130);
    }
    stopping = true;
    say('stopping');
    stopService(cloud, 0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
};

const parentCheckMs = 1_000;

/** Stops the service when npm, which has started it, ends: npm passes no signals on. */
const stopWithNpm = (): void => {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const { ppid: npm } = process;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs).unref();
};

const follow = async (cloud: LocalCloud): Promise<void> => {
  const { followSources } = await import('./dev/follow-sources.ts');
  const { assembly, restartFunctions } = cloud;
  await followSources({ assembly, restartFunctions, restartService: () => stopService(cloud, restartCode), say });
};

/** Time after which a phase that goes on is printed again. */
const progressIntervalMs = 2_500;

/** Prints each phase of the start with its time, and again while it goes on. `ready` is the last one. */
const printProgress = (): ((phase: string) => void) => {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  return (phase) => {
    const print = (): void => say(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${phase}`);
    clearInterval(timer);
    print();
    if (phase !== ready) timer = setInterval(print, progressIntervalMs).unref();
  };
};

/** Runs the service until it gets a signal. A problem that a user can solve ends it with one line and exit code 1. */
export const start = async (args: readonly string[]): Promise<void> => {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  letHeapGrow(heapGrowthPercent);
  setFlagsFromString(youngGenerationGrowth(1));
  try {
    const parsed = await readArguments(args);
    const onProgress = printProgress();
    await warnAboutOpenFiles();
    const { startLocalCloud } = await import('./start-local-cloud.ts');
    const onWarning = (text: string): void => {
      if (parsed.verbose || text.includes('Debugger listening on ')) say(text);
    };
    const cloud = await startLocalCloud(parsed.options, { onProgress, onWarning });
    stopOnSignal(cloud);
    stopWithNpm();
    onProgress(ready);
    setFlagsFromString(youngGenerationGrowth(2));
    announce(cloud, parsed);
    if (parsed.watch) await follow(cloud);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
};
