import { AppError } from './errors.ts';

/** Which models a deployment calls. */
export interface ModelsConfig {
  /** Writes new indexes, and with the embedded one reads old ones. `STRATA_EMBEDDING_PROVIDER` */
  readonly embeddingProvider: (typeof embeddingProviders)[number];
  /** The provider's name of its model; the embedded provider has but one. `STRATA_EMBEDDING_MODEL` */
  readonly embeddingModel: string;
  /** Where `openai` finds `/embeddings`, without a slash at the end. `STRATA_EMBEDDING_BASE_URL` */
  readonly embeddingBaseUrl: string;
  /** `STRATA_OCR_PROVIDER` */
  readonly ocrProvider: (typeof ocrProviders)[number];
  /** `STRATA_AUDIO_PROVIDER` */
  readonly audioProvider: (typeof audioProviders)[number];
}

/** The one Bedrock model that functions may call. */
export const bedrockEmbeddingModel = 'amazon.titan-embed-text-v2:0';

export const embeddingProviders = ['bedrock', 'openai', 'embedded'] as const;
export const ocrProviders = ['textract', 'embedded', 'off'] as const;
export const audioProviders = ['transcribe', 'off'] as const;

/** What needs no service anywhere. */
export const embeddedModels: ModelsConfig = {
  embeddingProvider: 'embedded',
  embeddingModel: '',
  embeddingBaseUrl: '',
  ocrProvider: 'embedded',
  audioProvider: 'off',
};

/** What a function learns from its environment. The stacks set every variable but those that Lambda itself sets. */
export interface Config {
  /** First part of every physical name. `STRATA_DEPLOYMENT` */
  readonly deployment: string;
  /** `STRATA_ACCOUNT_ID` */
  readonly accountId: string;
  /** Where tables, API and events live. `STRATA_HOME_REGION` */
  readonly homeRegion: string;
  /** Where indexes may live, the default first. `STRATA_REGIONS`, comma-separated */
  readonly regions: readonly string[];
  /** Where this function runs. `AWS_REGION` */
  readonly region: string;
  /** OIDC issuer whose ID tokens open a session. `STRATA_IDENTITY_ISSUER` */
  readonly identityIssuer: string;
  /** Expected `aud` of an ID token. `STRATA_IDENTITY_AUDIENCE` */
  readonly identityAudience: string;
  /** Whether webhook addresses may be `http://localhost…`. `STRATA_ALLOW_LOCAL_WEBHOOKS` = `true` */
  readonly allowLocalWebhooks: boolean;
  /** Directory that stands for `s3://` when the tables of indexes are on a local disk. `STRATA_VECTORS_DIRECTORY`, optional */
  readonly vectorsDirectory: string | null;
  /** Directory with model weights and binaries beside the bundle. `LAMBDA_TASK_ROOT` */
  readonly assetsDirectory: string;
  readonly models: ModelsConfig;
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

const oneOf = <Name extends string>(
  environment: Environment,
  variable: string,
  names: readonly Name[],
  otherwise: Name,
): Name => {
  const value = environment[variable] ?? otherwise;
  const known = names.find((name) => name === value);
  if (known !== undefined) return known;
  throw new AppError('internal', 'The service is not configured', {
    cause: `environment variable ${variable}: ${value}`,
  });
};

const readModels = (environment: Environment): ModelsConfig => {
  const { embeddingProvider, ocrProvider, audioProvider } = embeddedModels;
  return {
    embeddingProvider: oneOf(environment, 'STRATA_EMBEDDING_PROVIDER', embeddingProviders, embeddingProvider),
    embeddingModel: environment['STRATA_EMBEDDING_MODEL'] ?? '',
    embeddingBaseUrl: (environment['STRATA_EMBEDDING_BASE_URL'] ?? '').replace(/\/+$/, ''),
    ocrProvider: oneOf(environment, 'STRATA_OCR_PROVIDER', ocrProviders, ocrProvider),
    audioProvider: oneOf(environment, 'STRATA_AUDIO_PROVIDER', audioProviders, audioProvider),
  };
};

/** Reads the configuration of one function; throws `internal` where a variable is missing. */
export const readConfig = (environment: Environment): Config => ({
  deployment: required(environment, 'STRATA_DEPLOYMENT'),
  accountId: required(environment, 'STRATA_ACCOUNT_ID'),
  homeRegion: required(environment, 'STRATA_HOME_REGION'),
  regions: required(environment, 'STRATA_REGIONS').split(','),
  region: required(environment, 'AWS_REGION'),
  identityIssuer: required(environment, 'STRATA_IDENTITY_ISSUER'),
  identityAudience: required(environment, 'STRATA_IDENTITY_AUDIENCE'),
  allowLocalWebhooks: environment['STRATA_ALLOW_LOCAL_WEBHOOKS'] === 'true',
  vectorsDirectory: environment['STRATA_VECTORS_DIRECTORY'] ?? null,
  assetsDirectory: environment['LAMBDA_TASK_ROOT'] ?? '.',
  models: readModels(environment),
});
