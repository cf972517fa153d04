import type { Runtime } from '../../kernel/capability.ts';
import { requestTimeouts } from './request-timeouts.ts';
import { parameterName, type SecretName } from '../../kernel/names.ts';

/** Cache duration of a secret, after which a new value takes effect. */
const cacheMs = 5 * 60 * 1_000;

/** A secret that is missing from the Parameter Store. */
export class MissingSecret extends Error {
  override readonly name = 'MissingSecret';
}

/** Reads a secret of the Parameter Store of a region. Throws `MissingSecret`. */
export const openSecretReader = (
  { config, clock }: Runtime,
  name: SecretName,
  region: string,
): (() => Promise<string>) => {
  const Name = parameterName(config.deployment, name);
  let cached: { readonly secret: string; readonly untilMs: number } | null = null;
  return async () => {
    const nowMs = clock.now().getTime();
    if (cached !== null && nowMs < cached.untilMs) return cached.secret;
    const { GetParameterCommand, ParameterNotFound, SSMClient } = await import('@aws-sdk/client-ssm');
    const client = new SSMClient({ region, requestHandler: requestTimeouts(5_000) });
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
      const secret = Parameter?.Value ?? '';
      if (secret === '') throw new MissingSecret(`The parameter ${Name} is empty`);
      cached = { secret, untilMs: nowMs + cacheMs };
      return secret;
    } catch (error) {
      throw error instanceof ParameterNotFound
        ? new MissingSecret(`The parameter ${Name} does not exist`, { cause: error })
        : error;
    } finally {
      client.destroy();
    }
  };
};
