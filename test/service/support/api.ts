import { createClient, type StrataClient } from '#client';
import { testEngine } from '../../../scripts/support/test-engine.ts';
import type { Caller } from './organization.ts';

/** Tests see the first response. If the vector service fails requests, the client retries as it does by default. */
const retries = testEngine === undefined ? 0 : 4;

/** The typed client of a caller. */
export const apiOf = ({ baseUrl, bearer }: Caller): StrataClient => createClient({ baseUrl, token: bearer, retries });
