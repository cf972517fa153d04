import type { Runtime } from '../../kernel/capability.ts';
import type { EmbeddingSecretName } from '../../kernel/names.ts';
import { MissingSecret, openSecretReader } from '../aws/secret-parameter.ts';
import { ModelFault, sdkFault } from './call-model.ts';

/** Reads the API key of an embedding provider from the Parameter Store of the function's region. */
export const openKeyReader = (runtime: Runtime, name: EmbeddingSecretName): (() => Promise<string>) => {
  const read = openSecretReader(runtime, name, runtime.config.region);
  return async () => {
    try {
      return await read();
    } catch (error) {
      throw error instanceof MissingSecret
        ? new ModelFault(error.message, { isTransient: false, cause: error })
        : sdkFault('the key of the embedding provider', error, runtime.clock.now());
    }
  };
};
