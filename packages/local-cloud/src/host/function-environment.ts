import { devNull } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AccessKey } from '../iam/access-keys.ts';
import type { FunctionDefinition } from './function-definition.ts';

/** Variables that the local cloud adds to the environment of every function. */
export interface LocalSurroundings extends Required<AccessKey> {
  readonly endpointUrl: string;
  /** Directory of index tables in place of their bucket; null if the tables lie in the bucket of the endpoint. */
  readonly vectorsDirectory: string | null;
  /** Directory of the modules that the Lambda runtime includes, such as the AWS SDK. */
  readonly modulesDirectory: string;
  readonly compileCacheDirectory: string;
  readonly reach: LocalReach;
}

/** Addresses of this machine that functions may reach. No template can set them, so no deployment allows them. */
export interface LocalReach {
  /** Whether webhooks and custom APIs may be `http://localhost…`. */
  readonly allowLocalWebhooks: boolean;
  /** The one loopback address and port that crawls may read, such as `127.0.0.1:8080`; empty for none. */
  readonly crawlLocalAddress: string;
}

/**
 * Builds the environment of a function: variables of its template, of Lambda, and of the local cloud.
 * Nothing of the host's own environment is in it, and no profile or configuration file of the user is read.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const functionEnvironment = (
  definition: FunctionDefinition,
  local: LocalSurroundings,
): Readonly<Record<string, string>> => ({
  ...definition.environment,
  _HANDLER: definition.handler,
  AWS_REGION: definition.region,
  AWS_DEFAULT_REGION: definition.region,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: definition.name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  LAMBDA_TASK_ROOT: definition.codeDirectory,
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  NODE_PATH: [
    ...definition.layerDirectories.map((directory) => join(directory, 'nodejs', 'node_modules')),
    local.modulesDirectory,
  ].join(delimiter),
  AWS_ACCESS_KEY_ID: local.accessKeyId,
  AWS_SECRET_ACCESS_KEY: local.secretAccessKey,
  AWS_SESSION_TOKEN: local.sessionToken,
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_ENDPOINT_URL: local.endpointUrl,
  // Without it, the engine demands TLS.
  ...(local.vectorsDirectory === null
    ? { AWS_ALLOW_HTTP: 'true' }
    : { STRATA_VECTORS_DIRECTORY: local.vectorsDirectory }),
  STRATA_ALLOW_LOCAL_WEBHOOKS: String(local.reach.allowLocalWebhooks),
  STRATA_CRAWL_LOCAL_ADDRESS: local.reach.crawlLocalAddress,
  NODE_COMPILE_CACHE: local.compileCacheDirectory,
});
