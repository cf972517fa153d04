import type { Runtime } from '../../kernel/capability.ts';
import { parameterName } from '../../kernel/names.ts';
import { ModelFault, sdkFault } from './call-model.ts';

/** How long a key is used before it is read again, so that a new one takes over. */
const keptMs = 5 * 60 * 1_000;

/** Reads the API key of the embedding provider from the Parameter Store of the function's region. */
export const openKeyReader = ({ config, clock }: Runtime): (() => Promise<string>) => {
  const Name = parameterName(config.deployment, 'embedding-api-key');
  let kept: { readonly key: string; readonly untilMs: number } | null = null;
  return async () => {
    const nowMs = clock.now().getTime();
    if (kept !== null && nowMs < kept.untilMs) return kept.key;
    const { GetParameterCommand, SSMClient } = await import('@aws-sdk/client-ssm');
    const client = new SSMClient({ region: config.region });
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
      const key = Parameter?.Value ?? '';
      if (key === '') throw new ModelFault(`the parameter ${Name} is empty`, { passing: false });
      kept = { key, untilMs: nowMs + keptMs };
      return key;
    } catch (error) {
      throw error instanceof ModelFault ? error : sdkFault(`the parameter ${Name}`, error, nowMs);
    } finally {
      client.destroy();
    }
  };
};
