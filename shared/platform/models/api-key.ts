import type { Runtime } from '../../kernel/capability.ts';
import { secretNames } from '../../kernel/names.ts';
import { MissingSecret, openSecretReader } from '../aws/secret-parameter.ts';
import { ModelFault, sdkFault } from './call-model.ts';

/** Reads the API key of the embedding provider from the Parameter Store of the function's region. */
export const openKeyReader = (runtime: Runtime): (() => Promise<string>) => {
  const read = openSecretReader(runtime, secretNames.embedding, runtime.config.region);
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
