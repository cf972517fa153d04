import { shareService } from './whole-service.ts';

let close = (): Promise<void> => Promise.resolve();

/** Before the first file of tests. */
export const globalSetup = async (): Promise<void> => {
  close = await shareService();
};

/** After the last. */
export const globalTeardown = (): Promise<void> => close();
