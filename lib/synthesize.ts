import * as registry from '../functions/registry.ts';
import { createApp, type AssemblyOptions } from './app.ts';

/**
 * Writes the cloud assembly of all functions of the registry and resolves to its directory.
 * @throws Error if the configuration is invalid, a bundle is missing, or validation finds an error.
 */
export const synthesize = async (options: Omit<AssemblyOptions, 'registry'>): Promise<string> => {
  const app = await createApp({ ...options, registry });
  return app.synth().directory;
};
