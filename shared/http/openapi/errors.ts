import type { ErrorCode } from '../../kernel/errors.ts';
import { statusByCode } from '../../kernel/errors.ts';
import { exampleId } from '../examples.ts';
import type { Schema } from './schema.ts';

interface CodeText {
  /** When the error occurs and how to react. */
  readonly meaning: string;
  /** `detail` of the example. */
  readonly detail: string;
  /** Additional fields of the body. */
  readonly fields?: Readonly<Record<string, number | string>>;
}

/** Texts of each error code. */
const codeTexts: Readonly<Record<ErrorCode, CodeText>> = {
  bad_request: { meaning: 'The request is not valid HTTP.', detail: 'Bad request' },
  unauthenticated: {
    meaning: 'The bearer value is missing or unknown.',
    detail: 'Invalid or missing credentials',
  },
  token_expired: {
    meaning: 'The API key, access token or session has expired. Get a new one.',
    detail: 'These credentials have expired',
  },
  key_revoked: { meaning: 'The API key or OAuth client was revoked.', detail: 'This API key has been revoked' },
  plan_limit_reached: {
    meaning:
      'A limit of the plan is reached. `limit` is the limit, `current` the current number. Delete some resources, request less or change the plan.',
    detail: 'The plan allows 100 indexes',
    fields: { limit: 100, current: 100 },
  },
  forbidden: { meaning: 'The credential may not make this call.', detail: 'This needs the read permission' },
  owner_required: { meaning: 'The call needs the session of an owner.', detail: 'Only an owner may do this' },
  write_permission_required: {
    meaning: 'The credential does not have the `write` permission, or is restricted to indexes and the call needs all.',
    detail: 'This needs the write permission',
  },
  index_not_allowed: {
    meaning: 'The credential is restricted to other indexes.',
    detail: 'These credentials may not use this index',
  },
  organization_not_allowed: {
    meaning: 'The credential does not belong to the organization in `x-service-organization-id`.',
    detail: 'These credentials do not belong to that organization',
  },
  feature_not_in_plan: {
    meaning: 'The plan of the organization does not include this feature.',
    detail: 'The plan does not include branching',
  },
  not_found: {
    meaning: 'The resource does not exist or belongs to another organization.',
    detail: 'Index not found',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method. The header `allow` lists the supported methods.',
    detail: 'This path does not support this method',
  },
  conflict: {
    meaning: 'The resource is in a state that does not allow this operation.',
    detail: 'The job has ended already',
  },
  idempotency_conflict: {
    meaning: 'The `Idempotency-Key` was used with another request in the last 24 hours.',
    detail: 'This Idempotency-Key was used for another request',
  },
  name_taken: {
    meaning: 'An index has this name, and the request asked for a new one. `index_id` is its id.',
    detail: 'An index has this name',
    fields: { index_id: exampleId('idx') },
  },
  index_not_ready: {
    meaning: 'The branch is still being created. Retry after the seconds in `retry-after`.',
    detail: 'The branch is still being created',
  },
  index_full: {
    meaning:
      'The index has reached a maximum of its `capacity`; `limit` and `current` contain the number. Nothing was written. Delete rows, or use a further index.',
    detail:
      'The index is full: it has 460800000 numbers in its vectors, and takes no more content from 460800000. Delete rows, or write to another index; the engine s3_vectors has no such maximum',
  },
  evaluation_running: {
    meaning:
      'The evaluation that `require` asks for has not ended; `evaluation_id` is its id. Send the request again after the seconds in `retry-after`.',
    detail: 'The evaluation is running. Send the request again when it has ended',
    fields: { evaluation_id: exampleId('eval') },
  },
  evaluation_failed: {
    meaning:
      'The content finds less than `require` allows, and the interval of the loss excludes 0. `evaluation` has the figures. Nothing was changed.',
    detail: 'The branch loses 0.0412 of ndcg_at_10 over 1000 questions, and 0.01 is allowed',
    fields: { evaluation_id: exampleId('eval') },
  },
  golden_set_too_small: {
    meaning:
      'The golden set has too few questions to find a loss of `max_loss`. `evaluation.detectable_loss` is the smallest one that it finds. Nothing was changed.',
    detail: 'With 12 questions, a loss below 0.13 is not found, and 0.01 is allowed',
    fields: { evaluation_id: exampleId('eval') },
  },
  search_too_large: {
    meaning: 'An exact search or a measurement of recall could not read all rows in its time; a repeat takes as long.',
    detail:
      'An exact search compares with every row, and could not read all of them in its time. Search without `exact`, or divide the rows over several indexes',
  },
  not_supported_by_engine: {
    meaning:
      'The engine of the index lacks the feature that `feature` names. `features` of an index lists those that it has.',
    detail: 'The engine s3_vectors of this index does not support exact_search',
    fields: { feature: 'exact_search' },
  },
  cursor_expired: {
    meaning:
      'The version of the index that a cursor reads is no longer kept, or the search defaults of the index have changed. Begin with the first page.',
    detail: 'The version of the index that this cursor reads is no longer kept. Begin with the first page',
  },
  version_not_kept: {
    meaning:
      'The index has no kept version as of the requested time, or not the requested version. `GET …/versions` lists them.',
    detail: 'The index has no kept version as of then. `GET …/versions` lists those that it has',
  },
  payload_too_large: {
    meaning:
      'The body is larger than 512 KiB (5 MiB for vectors, ids or a filter), or the response would be larger than 6 MiB.',
    detail: 'The body may have at most 5242880 bytes',
  },
  unsupported_media_type: {
    meaning: 'The media type of the body is not supported, or its `content-type` is missing.',
    detail: 'The body must be JSON with content-type application/json',
  },
  rate_limited: {
    meaning: 'A rate limit of the plan is exceeded. Retry after the seconds in `retry-after`.',
    detail: 'The plan allows 6000 requests a minute',
  },
  headers_too_large: {
    meaning:
      'The request line and headers together exceed 10,240 bytes. Only on one machine: in AWS, API Gateway returns its own error.',
    detail: 'The request line and headers may have at most 10240 bytes',
  },
  internal: {
    meaning: 'The service failed. Its operator finds the cause by the request id.',
    detail: 'Internal error',
  },
  unavailable: {
    meaning:
      'The service is temporarily unavailable. A retry is safe, with the same `Idempotency-Key` if one was sent. Without `retry-after`, a retry does not help until the operator has fixed the cause.',
    detail: 'The service is busy, try again',
  },
};

const errorCodes = Object.keys(statusByCode) as readonly ErrorCode[];

const describeCode = (code: ErrorCode): string => `- ${statusByCode[code]} \`${code}\`: ${codeTexts[code].meaning}`;

/** One example for each code, by its name. */
export const errorExamples: Readonly<Record<string, Schema>> = Object.fromEntries(
  errorCodes.map((code) => {
    const { meaning, detail, fields = {} } = codeTexts[code];
    return [code, { summary: meaning, value: { detail, code, request_id: exampleId('req'), ...fields } }];
  }),
);

const validationExample = {
  detail: [
    { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
    { loc: ['body', 'dimensions'], msg: 'Input should be less than or equal to 4096', type: 'less_than_equal' },
  ],
};

/** Schemas of error bodies. */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  LocationPart: {
    description: 'One element of the location of a problem: a key, or a position in a list, from 0.',
    anyOf: [{ type: 'string' }, { type: 'integer', format: 'int32' }],
  },
  ValidationError: {
    type: 'object',
    description: 'One problem of a request.',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        description: 'Location: `body`, `query`, `path` or `header`, then keys and positions.',
        items: { $ref: '#/components/schemas/LocationPart' },
      },
      msg: { type: 'string', description: 'Human-readable message. It may change.' },
      type: { type: 'string', description: 'A pydantic error type, such as `missing` or `greater_than_equal`.' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    description: 'All problems of a request.',
    properties: {
      detail: {
        type: 'array',
        description: 'Problems in the order of the request.',
        items: { $ref: '#/components/schemas/ValidationError' },
      },
    },
    examples: [validationExample],
  },
  VersionConflict: {
    type: 'object',
    description: 'A row whose version differs from the expected one.',
    required: ['id', 'version'],
    properties: {
      id: { type: 'string', description: 'Id of the row.' },
      version: { type: ['string', 'null'], description: 'Current version of the row; null if the row does not exist.' },
    },
  },
  ErrorCode: {
    type: 'string',
    enum: errorCodes,
    description: 'Stable error code. `ErrorResponse` explains each.',
  },
  ErrorResponse: {
    type: 'object',
    description: ['Every error except 422. `code` is stable:\n', ...errorCodes.map(describeCode)].join('\n'),
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'string', description: 'Human-readable message. It may change.' },
      code: { $ref: '#/components/schemas/ErrorCode' },
      request_id: { type: 'string', description: 'Id of the request, also in the header `x-request-id`.' },
      limit: { type: 'integer', format: 'int64', description: 'With `plan_limit_reached`: the limit of the plan.' },
      current: {
        type: 'integer',
        format: 'int64',
        description:
          'With `plan_limit_reached`: the current number, or the requested number if one request exceeds the limit.',
      },
      feature: { type: 'string', description: 'With `not_supported_by_engine`: the feature.' },
      evaluation_id: {
        type: 'string',
        description: 'With `evaluation_running`, `evaluation_failed` and `golden_set_too_small`: the evaluation.',
      },
      evaluation: {
        $ref: '#/components/schemas/EvaluationProof',
        description: 'With `evaluation_failed` and `golden_set_too_small`: the figures of the evaluation.',
      },
      conflicts: {
        type: 'array',
        description: 'With a `conflict` of `if_version`: the first 100 rows whose versions differ.',
        items: { $ref: '#/components/schemas/VersionConflict' },
      },
    },
  },
};
