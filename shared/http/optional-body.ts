import type { Endpoint } from './endpoint.ts';

/**
 * Whether a request may leave out its body, which then counts as `{}`: a POST whose fields are all optional. A PUT or PATCH
 * is about its body, so that one without is more likely a mistake.
 */
export const hasOptionalBody = ({ method, body, consumes }: Endpoint): boolean =>
  method === 'POST' && consumes === undefined && body !== undefined && body.safeParse({}).success;
