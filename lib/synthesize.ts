import * as registry from '../functions/registry.ts';
import { createApp, type AssemblyOptions } from './app.ts';

/**
 * Writes the cloud assembly of everything in the registry and resolves to its directory.
 * @throws Error where the configuration is wrong, a bundle is missing, or validation finds a fault.
 */
export const synthesize = async (options: Omit<AssemblyOptions, 'registry'>): Promise<string> => {
  const app = await createApp({ ...options, registry });
  return app.synth().directory;
};
