import { after } from 'node:test';
import { sharedServiceVariable } from '../../scripts/support/service-log.ts';
import type { OpenService, WholeService } from './whole-service.ts';

/**
 * Returns the service that all test files share. A file that runs alone opens one, and closes it. Only that file loads the
 * modules of a service, which takes a second.
 */
export const findService = async (): Promise<OpenService> => {
  const shared = process.env[sharedServiceVariable];
  if (shared !== undefined) return { service: JSON.parse(shared) as WholeService, close: () => Promise.resolve() };
  const { openService } = await import('./whole-service.ts');
  return openService();
};

/** Returns the service for the tests of one file, which is closed after them if this file has opened it. */
export const startService = async (): Promise<WholeService> => {
  const { service, close } = await findService();
  after(close);
  return service;
};
