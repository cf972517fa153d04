import { isObject, type Json, type JsonObject } from '../../../../shared/kernel/json.ts';
import type { AwsAnswer, AwsRequest } from '../endpoint/aws-request.ts';
import { dataOperations } from './data-operations.ts';
import { resourceOperations } from './resource-operations.ts';
import { isOperation, validateInput } from './validate-input.ts';
import type { VectorContext } from './vector-context.ts';
import { VectorError } from './vector-error.ts';
import type { VectorStore } from './vector-store.ts';

const contentType = 'application/json';
const maxBodyBytes = 20_971_520;

type Operate = (context: VectorContext, input: JsonObject) => JsonObject | Promise<JsonObject>;

// The service model has validated an input before its operation gets it, which the compiler cannot follow.
const operations = { ...resourceOperations, ...dataOperations } as unknown as Readonly<Record<string, Operate>>;

const refusal = ({ name, status, message, fieldList }: VectorError): AwsAnswer => ({
  status,
  headers: { 'content-type': contentType, 'x-amzn-errortype': name },
  body: JSON.stringify(fieldList === undefined ? { message } : { message, fieldList }),
});

const tagOperations: Readonly<Record<string, string>> = {
  POST: 'TagResource',
  DELETE: 'UntagResource',
  GET: 'ListTagsForResource',
};

const operationOf = ({ method, path }: AwsRequest): string =>
  path.startsWith('/tags/') ? (tagOperations[method] ?? '') : method === 'POST' ? path.slice(1) : '';

const parseBody = ({ body }: AwsRequest): JsonObject => {
  if (body.length > maxBodyBytes) throw new VectorError('ValidationException', 'Request body exceeds max allowed size');
  try {
    const parsed = JSON.parse(body.toString() || '{}') as Json;
    if (isObject(parsed)) return parsed;
  } catch {
    // Refused below, as a body that is no object.
  }
  throw new VectorError('SerializationException', 'The request body is not a JSON object');
};

const inputOf = (request: AwsRequest): JsonObject => {
  const input = parseBody(request);
  if (!request.path.startsWith('/tags/')) return input;
  const tagKeys = request.query.getAll('tagKeys');
  const resourceArn = decodeURIComponent(request.path.slice('/tags/'.length));
  return { ...input, resourceArn, ...(tagKeys.length === 0 ? {} : { tagKeys }) };
};

/**
 * Handles requests of Amazon S3 Vectors. Policies of vector buckets are not supported, since no request would be decided
 * by them.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_S3_Vectors.html
 */
export const serveVectors =
  (store: VectorStore, accountId: string) =>
  async (request: AwsRequest): Promise<AwsAnswer | null> => {
    const operation = operationOf(request);
    const operate = operations[operation];
    if (!isOperation(operation) || operate === undefined) return null;
    const fault = store.faults.next();
    try {
      if (fault === 'throttled') throw new VectorError('TooManyRequestsException', 'Rate exceeded');
      const input = inputOf(request);
      validateInput(operation, input);
      const { region, authorize } = request;
      const output = await operate({ store, accountId, region, operation, authorize }, input);
      const headers = { 'content-type': contentType };
      return { status: 200, headers, body: JSON.stringify(output), isLost: fault === 'lost' };
    } catch (error) {
      if (error instanceof VectorError) return refusal(error);
      throw error;
    }
  };
