import { createClient, type StrataClient } from '#client';
import type { Caller } from './organization.ts';

/** The typed client of a caller. It repeats nothing: a test sees the first answer. */
export const apiOf = ({ baseUrl, bearer }: Caller): StrataClient =>
  createClient({ baseUrl, token: bearer, retries: 0 });
