import { memoizePerKey } from '../../kernel/memoize.ts';

type Make<Client> = (region: string) => Client;

/** One client per region for the life of the process, so that connections are kept. */
export const perRegion: <Client extends object>(make: Make<Client>) => Make<Client> = memoizePerKey;
