import { memoizePerKey } from '../../kernel/memoize.ts';

type Make<Client> = (region: string) => Client;

/** Memoizes one client for each region, so that connections are reused. */
export const perRegion: <Client extends object>(make: Make<Client>) => Make<Client> = memoizePerKey;
