import { AppError } from './errors.ts';
import type { EmbeddingSecretName, RerankSecretName } from './names.ts';

/** Embedding model that a deployment lists in the context `embeddingModels`. The schema is `EmbeddingModelList`. */
export interface ListedModel {
  readonly provider: Exclude<(typeof embeddingProviders)[number], 'embedded'>;
  /** Name of the model at its provider. */
  readonly model: string;
  /** Base URL of `/embeddings` for `openai`, without a trailing slash. Default: `embeddingBaseUrl`. */
  readonly base_url?: string | undefined;
  /** Name in the Parameter Store of the API key for `openai`. Default: `embedding-api-key`. */
  readonly api_key?: EmbeddingSecretName | undefined;
  /** Model directory of `model-folder`. */
  readonly directory?: string | undefined;
  /** Sizes of the model's own vectors, the default first. Known models have theirs without it. */
  readonly dimensions?: readonly number[] | undefined;
  readonly max_input_tokens?: number | undefined;
  /** Languages or other notes, for people. */
  readonly notes?: string | undefined;
}

/** Models that a deployment calls. */
export interface ModelsConfig {
  /**
   * Provider of the default model of new indexes. Indexes of the embedded model stay readable with any provider.
   * `STRATA_EMBEDDING_PROVIDER`
   */
  readonly embeddingProvider: (typeof embeddingProviders)[number];
  /** Model name at the provider; empty for the embedded provider, which has one model. `STRATA_EMBEDDING_MODEL` */
  readonly embeddingModel: string;
  /** Base URL of `/embeddings` for `openai`, without a trailing slash. `STRATA_EMBEDDING_BASE_URL` */
  readonly embeddingBaseUrl: string;
  /** Model directory of `model-folder`. `STRATA_EMBEDDING_MODEL_DIRECTORY` */
  readonly embeddingModelDirectory: string;
  /** Further models, or details of the default one. `STRATA_EMBEDDING_MODELS`, JSON */
  readonly embeddingModels: readonly ListedModel[];
  /** `STRATA_OCR_PROVIDER` */
  readonly ocrProvider: (typeof ocrProviders)[number];
  /** `STRATA_AUDIO_PROVIDER` */
  readonly audioProvider: (typeof audioProviders)[number];
  /** Model directory of `model-folder`. `STRATA_SPEECH_MODEL_DIRECTORY` */
  readonly speechModelDirectory: string;
}

export const rerankProviders = ['embedded', 'bedrock', 'http', 'model-folder', 'off'] as const;

/** Reranker that a deployment chooses in the context `reranker`, besides the embedded ones. The schema is that of `readReranker`. */
export type RerankerChoice =
  | { readonly provider: 'embedded' | 'off' }
  | { readonly provider: 'bedrock'; readonly model: string }
  | {
      readonly provider: 'http';
      readonly model: string;
      /** Base URL of `/rerank`, without a trailing slash. */
      readonly base_url: string;
      /** Name in the Parameter Store of the API key. Null: none is needed. */
      readonly api_key: RerankSecretName | null;
      /** Name of the texts in a request. */
      readonly field: 'documents' | 'texts';
    }
  | { readonly provider: 'model-folder'; readonly model: string; readonly directory: string };

/** The default model of Bedrock, which functions may always call. */
export const bedrockEmbeddingModel = 'amazon.titan-embed-text-v2:0';

export const embeddingProviders = ['bedrock', 'openai', 'embedded', 'model-folder'] as const;
export const ocrProviders = ['textract', 'embedded', 'off'] as const;
export const audioProviders = ['transcribe', 'model-folder', 'off'] as const;

/** Configuration that needs no external service. */
export const embeddedModels: ModelsConfig = {
  embeddingProvider: 'embedded',
  embeddingModel: '',
  embeddingBaseUrl: '',
  embeddingModelDirectory: '',
  embeddingModels: [],
  ocrProvider: 'embedded',
  audioProvider: 'off',
  speechModelDirectory: '',
};

/** Configuration of event delivery. */
export interface DeliveryConfig {
  /** `STRATA_DELIVERY_PROVIDER` */
  readonly provider: (typeof deliveryProviders)[number];
  /** Base URL of Svix's API, without a trailing slash; used by `svix` only. `STRATA_SVIX_URL` */
  readonly svixUrl: string;
  /** Base URL of this deployment's API, where Svix finds the header relay; used by `svix` only. `STRATA_RELAY_URL` */
  readonly relayUrl: string;
  /** Event bus of the home region that also receives every event; null for none. `STRATA_EVENT_BUS` */
  readonly eventBus: string | null;
}

export const deliveryProviders = ['built-in', 'svix'] as const;

/** Delivery that needs no service outside the account. */
export const builtInDelivery: DeliveryConfig = { provider: 'built-in', svixUrl: '', relayUrl: '', eventBus: null };

/** Configuration of crawls. */
export interface CrawlConfig {
  /** `STRATA_CRAWL_PROVIDER` */
  readonly provider: (typeof crawlProviders)[number];
  /** Base URL of `/crawl` for `firecrawl`, without a trailing slash. `STRATA_CRAWL_BASE_URL` */
  readonly baseUrl: string;
  /**
   * The one address of this machine that crawls may fetch, such as `127.0.0.1:8080`; empty for none.
   * `STRATA_CRAWL_LOCAL_ADDRESS`
   */
  readonly localAddress: string;
}

export const crawlProviders = ['built-in', 'firecrawl'] as const;

/** The built-in crawler, which fetches public addresses only. */
export const builtInCrawler: CrawlConfig = { provider: 'built-in', baseUrl: '', localAddress: '' };

/** Endpoints of the storages from which files are imported; null for the provider's own endpoint. */
export interface ImportsConfig {
  /** `STRATA_IMPORT_S3_ENDPOINT` */
  readonly s3Endpoint: string | null;
  /** `STRATA_IMPORT_GCS_ENDPOINT` */
  readonly gcsEndpoint: string | null;
  /** `STRATA_IMPORT_AZURE_ENDPOINT` */
  readonly azureEndpoint: string | null;
}

/** The providers' own endpoints. */
export const providersOwnStorages: ImportsConfig = { s3Endpoint: null, gcsEndpoint: null, azureEndpoint: null };

/** Names of the provider APIs whose address can be configured. */
export const connectorAddressNames = [
  'slack',
  'notion',
  'google_accounts',
  'google_oauth',
  'google_drive',
  'gmail',
  'google_calendar',
  'microsoft_login',
  'microsoft_graph',
] as const;

export type ConnectorAddressName = (typeof connectorAddressNames)[number];

type ConnectorAddresses = Readonly<Partial<Record<ConnectorAddressName, string>>>;

/** How many writes may wait for their receipt at a time, after the first second. */
export interface WaitingWritesConfig {
  /** Of all indexes. `STRATA_WAITING_WRITES` */
  readonly deployment: number;
  /** Of one index. `STRATA_WAITING_WRITES_PER_INDEX` */
  readonly index: number;
}

/** Leaves more than half of the usual 1,000 concurrent functions of an account to others. */
export const defaultWaitingWrites: WaitingWritesConfig = { deployment: 400, index: 32 };

/**
 * Bytes of vectors and texts that one table serves with writers of 3,008 MB. Maintenance of a larger one may not end
 * within a run, which stops its log again and again. `docs/operations.md`, "Large indexes", has the figures.
 */
export const defaultMaxIndexBytes = 2 * 1024 ** 3;

/**
 * Numbers of all vectors (rows × dimensions) that one index takes: 300,000 rows of 1,536 dimensions. Writers of 3,008 MB
 * rewrite at most about as many within a run. `docs/operations.md`, "Large indexes", has the figures.
 */
export const defaultMaxIndexNumbers = 300_000 * 1_536;

/** Milliseconds that a read of an index may take: its caller gets an answer before the function is killed. */
export const defaultReadMs = 22_000;

/**
 * Configuration of a function, read from its environment. The stacks set every variable except those that Lambda sets.
 */
export interface Config {
  /** First part of every physical name. `STRATA_DEPLOYMENT` */
  readonly deployment: string;
  /** `STRATA_ACCOUNT_ID` */
  readonly accountId: string;
  /** Region of tables, API and events. `STRATA_HOME_REGION` */
  readonly homeRegion: string;
  /** Regions for indexes, the default first. `STRATA_REGIONS`, comma-separated */
  readonly regions: readonly string[];
  /** Regions with the engine `s3_vectors`. `STRATA_S3_VECTORS_REGIONS`, comma-separated; default: all */
  readonly s3VectorsRegions?: readonly string[];
  /** Region of this function. `AWS_REGION` */
  readonly region: string;
  /** OIDC issuer whose ID tokens start a session. `STRATA_IDENTITY_ISSUER` */
  readonly identityIssuer: string;
  /**
   * URL of the issuer's keys; null to read it from the issuer's OpenID configuration. `STRATA_IDENTITY_KEYS`, optional
   */
  readonly identityKeys: string | null;
  /**
   * URL of the issuer's OpenID configuration; null for that below the issuer. `STRATA_IDENTITY_CONFIGURATION`, optional
   */
  readonly identityConfiguration?: string | null;
  /** Accepted values of `aud` of an ID token. `STRATA_IDENTITY_AUDIENCE`, comma-separated */
  readonly identityAudience: readonly string[];
  /** Client of the console at the identity provider. `STRATA_CONSOLE_CLIENT_ID`; default: the first audience */
  readonly consoleClientId?: string;
  /** Whether webhook addresses may be `http://localhost…`. `STRATA_ALLOW_LOCAL_WEBHOOKS` = `true` */
  readonly allowLocalWebhooks: boolean;
  /** Directory that replaces `s3://` if the index tables are on a local disk. `STRATA_VECTORS_DIRECTORY`, optional */
  readonly vectorsDirectory: string | null;
  /** Directory with model weights and binaries beside the bundle. `LAMBDA_TASK_ROOT` */
  readonly assetsDirectory: string;
  readonly models: ModelsConfig;
  /** Default: the embedded ones. `STRATA_RERANKER`, JSON */
  readonly reranker?: RerankerChoice;
  readonly delivery: DeliveryConfig;
  readonly crawl: CrawlConfig;
  readonly imports: ImportsConfig;
  /** Default: `defaultWaitingWrites`. */
  readonly waitingWrites?: WaitingWritesConfig;
  /** Milliseconds that a read of an index may take. Default: `defaultReadMs`. */
  readonly readMs?: number;
  /** Default: `defaultMaxIndexBytes`. `STRATA_MAX_INDEX_BYTES` */
  readonly maxIndexBytes?: number;
  /** Bytes of segments from which an index gets a table. Default: that of the engine. `STRATA_FOLD_BYTES` */
  readonly foldBytes?: number;
  /** Default: `defaultMaxIndexNumbers`. `STRATA_MAX_INDEX_NUMBERS` */
  readonly maxIndexNumbers?: number;
  /**
   * Other addresses of provider APIs, such as a gateway: `STRATA_CONNECTOR_ADDRESSES`,
   * `slack=https://…,notion=https://…`
   */
  readonly connectorAddresses?: ConnectorAddresses;
  /** Callback URL of provider consents. `STRATA_CONNECTOR_CALLBACK_URL` */
  readonly connectorCallbackUrl?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const required = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === '') {
    throw new AppError('internal', 'The service is not configured', {
      cause: `environment variable ${name} is missing`,
    });
  }
  return value;
};

const known = <Name extends string>(variable: string, value: string, names: readonly Name[]): Name => {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw new AppError('internal', 'The service is not configured', {
    cause: `environment variable ${variable}: ${value}`,
  });
};

const oneOf = <Name extends string>(
  environment: Environment,
  variable: string,
  names: readonly Name[],
  otherwise: Name,
): Name => known(variable, environment[variable] ?? otherwise, names);

const readModels = (environment: Environment): ModelsConfig => {
  const { embeddingProvider, ocrProvider, audioProvider } = embeddedModels;
  return {
    embeddingProvider: oneOf(environment, 'STRATA_EMBEDDING_PROVIDER', embeddingProviders, embeddingProvider),
    embeddingModel: environment['STRATA_EMBEDDING_MODEL'] ?? '',
    embeddingBaseUrl: address(environment, 'STRATA_EMBEDDING_BASE_URL'),
    embeddingModelDirectory: environment['STRATA_EMBEDDING_MODEL_DIRECTORY'] ?? '',
    // The synthesis has validated it.
    embeddingModels: JSON.parse(environment['STRATA_EMBEDDING_MODELS'] ?? '[]') as readonly ListedModel[],
    ocrProvider: oneOf(environment, 'STRATA_OCR_PROVIDER', ocrProviders, ocrProvider),
    audioProvider: oneOf(environment, 'STRATA_AUDIO_PROVIDER', audioProviders, audioProvider),
    speechModelDirectory: environment['STRATA_SPEECH_MODEL_DIRECTORY'] ?? '',
  };
};

const address = (environment: Environment, name: string): string => (environment[name] ?? '').replace(/\/+$/, '');

const readDelivery = (environment: Environment): DeliveryConfig => {
  const eventBus = environment['STRATA_EVENT_BUS'] ?? '';
  return {
    provider: oneOf(environment, 'STRATA_DELIVERY_PROVIDER', deliveryProviders, builtInDelivery.provider),
    svixUrl: address(environment, 'STRATA_SVIX_URL'),
    relayUrl: address(environment, 'STRATA_RELAY_URL'),
    eventBus: eventBus === '' ? null : eventBus,
  };
};

const readCrawl = (environment: Environment): CrawlConfig => ({
  provider: oneOf(environment, 'STRATA_CRAWL_PROVIDER', crawlProviders, builtInCrawler.provider),
  baseUrl: address(environment, 'STRATA_CRAWL_BASE_URL'),
  localAddress: environment['STRATA_CRAWL_LOCAL_ADDRESS'] ?? '',
});

const readImports = (environment: Environment): ImportsConfig => {
  const endpoint = (name: string): string | null => address(environment, name) || null;
  return {
    s3Endpoint: endpoint('STRATA_IMPORT_S3_ENDPOINT'),
    gcsEndpoint: endpoint('STRATA_IMPORT_GCS_ENDPOINT'),
    azureEndpoint: endpoint('STRATA_IMPORT_AZURE_ENDPOINT'),
  };
};

const readConnectorAddresses = (environment: Environment): ConnectorAddresses => {
  const variable = 'STRATA_CONNECTOR_ADDRESSES';
  const entries = (environment[variable] ?? '').split(',').filter((entry) => entry.includes('='));
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', ...address] = entry.split('=');
      return [known(variable, name.trim(), connectorAddressNames), address.join('=').trim().replace(/\/+$/, '')];
    }),
  );
};

const numberFrom = (environment: Environment, variable: string, otherwise: number): number => {
  const value = environment[variable];
  return value === undefined ? otherwise : Number(value);
};

/** Reads the configuration of one function. Throws `internal` if a variable is missing or invalid. */
export const readConfig = (environment: Environment): Config => ({
  deployment: required(environment, 'STRATA_DEPLOYMENT'),
  accountId: required(environment, 'STRATA_ACCOUNT_ID'),
  homeRegion: required(environment, 'STRATA_HOME_REGION'),
  regions: required(environment, 'STRATA_REGIONS').split(','),
  ...(environment['STRATA_S3_VECTORS_REGIONS'] === undefined
    ? {}
    : { s3VectorsRegions: environment['STRATA_S3_VECTORS_REGIONS'].split(',') }),
  region: required(environment, 'AWS_REGION'),
  identityIssuer: required(environment, 'STRATA_IDENTITY_ISSUER'),
  identityKeys: environment['STRATA_IDENTITY_KEYS'] || null,
  identityConfiguration: environment['STRATA_IDENTITY_CONFIGURATION'] || null,
  identityAudience: required(environment, 'STRATA_IDENTITY_AUDIENCE').split(','),
  consoleClientId: environment['STRATA_CONSOLE_CLIENT_ID'] ?? '',
  allowLocalWebhooks: environment['STRATA_ALLOW_LOCAL_WEBHOOKS'] === 'true',
  vectorsDirectory: environment['STRATA_VECTORS_DIRECTORY'] ?? null,
  assetsDirectory: environment['LAMBDA_TASK_ROOT'] ?? '.',
  models: readModels(environment),
  // The synthesis has validated it.
  ...(environment['STRATA_RERANKER'] === undefined
    ? {}
    : { reranker: JSON.parse(environment['STRATA_RERANKER']) as RerankerChoice }),
  delivery: readDelivery(environment),
  crawl: readCrawl(environment),
  imports: readImports(environment),
  maxIndexBytes: numberFrom(environment, 'STRATA_MAX_INDEX_BYTES', defaultMaxIndexBytes),
  ...(environment['STRATA_FOLD_BYTES'] === undefined
    ? {}
    : { foldBytes: numberFrom(environment, 'STRATA_FOLD_BYTES', 0) }),
  maxIndexNumbers: numberFrom(environment, 'STRATA_MAX_INDEX_NUMBERS', defaultMaxIndexNumbers),
  waitingWrites: {
    deployment: numberFrom(environment, 'STRATA_WAITING_WRITES', defaultWaitingWrites.deployment),
    index: numberFrom(environment, 'STRATA_WAITING_WRITES_PER_INDEX', defaultWaitingWrites.index),
  },
  connectorAddresses: readConnectorAddresses(environment),
  connectorCallbackUrl: environment['STRATA_CONNECTOR_CALLBACK_URL'] ?? '',
});
