import type { Runtime } from '../../kernel/capability.ts';
import { AppError } from '../../kernel/errors.ts';
import { applicationSecretNames } from '../../kernel/names.ts';
import { MissingSecret, openSecretReader } from '../aws/secret-parameter.ts';

/** Providers with an OAuth application of the deployment; all Google products share one. */
export type OauthFamily = keyof typeof applicationSecretNames;

/** OAuth application of the deployment at a provider. */
export interface OauthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Directory of an application at Microsoft; absent: any. */
  readonly tenantId?: string;
}

const parse = (text: string): OauthClient | null => {
  try {
    const { client_id: clientId, client_secret: clientSecret, ...others } = JSON.parse(text) as Record<string, unknown>;
    if (typeof clientId !== 'string' || typeof clientSecret !== 'string' || clientId === '') return null;
    const { tenant_id: tenantId } = others;
    return { clientId, clientSecret, ...(typeof tenantId === 'string' ? { tenantId } : {}) };
  } catch {
    return null;
  }
};

/**
 * Reads OAuth applications from the Parameter Store of the home region: `connector-slack`, `connector-notion`,
 * `connector-google` and `connector-microsoft`, each `{"client_id", "client_secret"}`, the last one with an optional
 * `tenant_id`. Throws `conflict` if there is none.
 */
export const openOauthClients = (runtime: Runtime): ((family: OauthFamily) => Promise<OauthClient>) => {
  const readerOf = (family: OauthFamily) =>
    openSecretReader(runtime, applicationSecretNames[family], runtime.config.homeRegion);
  const readers = {
    slack: readerOf('slack'),
    notion: readerOf('notion'),
    google: readerOf('google'),
    microsoft: readerOf('microsoft'),
  };
  return async (family) => {
    const missing = (cause: unknown): AppError =>
      new AppError('conflict', `This deployment has no application at ${family}: connect with credentials instead`, {
        cause,
      });
    try {
      const client = parse(await readers[family]());
      if (client === null) throw missing(`The parameter of ${family} contains no client`);
      return client;
    } catch (error) {
      throw error instanceof MissingSecret ? missing(error) : error;
    }
  };
};
