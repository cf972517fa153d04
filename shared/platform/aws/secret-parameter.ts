import type { Runtime } from '../../kernel/capability.ts';
import { requestTimeouts } from './request-timeouts.ts';
import { parameterName, type SecretName } from '../../kernel/names.ts';

/** How long a secret is used before it is read again, so that a new one takes over. */
const cacheMs = 5 * 60 * 1_000;

/** A secret that nobody has put into the Parameter Store. */
export class MissingSecret extends Error {
  override readonly name = 'MissingSecret';
}

/** Reads a secret that whoever runs the deployment keeps in the Parameter Store of a region. Throws `MissingSecret`. */
export const openSecretReader = (
  { config, clock }: Runtime,
  name: SecretName,
  region: string,
): (() => Promise<string>) => {
  const Name = parameterName(config.deployment, name);
  let kept: { readonly secret: string; readonly untilMs: number } | null = null;
  return async () => {
    const nowMs = clock.now().getTime();
    if (kept !== null && nowMs < kept.untilMs) return kept.secret;
    const { GetParameterCommand, ParameterNotFound, SSMClient } = await import('@aws-sdk/client-ssm');
    const client = new SSMClient({ region, requestHandler: requestTimeouts(5_000) });
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
      const secret = Parameter?.Value ?? '';
      if (secret === '') throw new MissingSecret(`the parameter ${Name} is empty`);
      kept = { secret, untilMs: nowMs + cacheMs };
      return secret;
    } catch (error) {
      throw error instanceof ParameterNotFound
        ? new MissingSecret(`there is no parameter ${Name}`, { cause: error })
        : error;
    } finally {
      client.destroy();
    }
  };
};
