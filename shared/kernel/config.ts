import { AppError } from './errors.ts';

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
});
