import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '../iam/policy-condition.ts';

/** Checks that the caller of a request may do this. @throws AccessDenied */
export type Authorize = (action: string, resource: string, context?: RequestContext) => void;

/** A verified request to the AWS endpoint, with the service and region that it is signed for. */
export interface AwsRequest {
  readonly service: string;
  readonly region: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly body: Buffer;
  readonly authorize: Authorize;
}

export interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the connection ends without this response, as an injected fault. */
  readonly isLost?: boolean;
}

/**
 * A service that takes the raw request and response. `waits`: the caller sends its body only after a `100 Continue`
 * (`Expect: 100-continue`), which the service sends or refuses.
 */
export type RawService = (request: IncomingMessage, response: ServerResponse, waits: boolean) => void | Promise<void>;

/** A service that returns its response; null for an operation that it does not have. */
export type AnsweringService = (request: AwsRequest) => Promise<AwsAnswer | null>;
