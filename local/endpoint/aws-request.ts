import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '../iam/policy-condition.ts';

/** Checks that the caller of a request may do this. @throws AccessDenied */
export type Authorize = (action: string, resource: string, context?: RequestContext) => void;

/** A request to the AWS endpoint, once it is known which service and region it is signed for. */
export interface AwsRequest {
  readonly service: string;
  readonly region: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller has hung up. */
  readonly signal: AbortSignal;
  readonly body: Buffer;
  readonly authorize: Authorize;
}

export interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A service that wants the request and response as they are. `waits`: the caller holds its body back until it is told
 * to continue, which the service does or refuses.
 */
export type RawService = (request: IncomingMessage, response: ServerResponse, waits: boolean) => void | Promise<void>;

/** A service that wants the request and response as they are, and the body read. */
export type BodyService = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** A service that answers as a whole; null for an operation that it does not have. */
export type AnsweringService = (request: AwsRequest) => Promise<AwsAnswer | null>;
