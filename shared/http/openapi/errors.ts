import type { ErrorCode } from '../../kernel/errors.ts';
import { statusByCode } from '../../kernel/errors.ts';
import { exampleId } from '../examples.ts';
import type { Schema } from './schema.ts';

interface CodeText {
  /** When it is answered and what helps. */
  readonly meaning: string;
  /** `detail` of the example. */
  readonly detail: string;
  /** Fields that the body has besides those of every error. */
  readonly fields?: Readonly<Record<string, number>>;
}

/** What each code means to a caller. */
const codeTexts: Readonly<Record<ErrorCode, CodeText>> = {
  bad_request: { meaning: 'The request makes no sense as HTTP.', detail: 'Bad request' },
  unauthenticated: {
    meaning: 'No bearer value, or one that nobody was given.',
    detail: 'Invalid or missing credentials',
  },
  token_expired: {
    meaning: 'The key, access token or session has expired. Get a new one.',
    detail: 'These credentials have expired',
  },
  key_revoked: { meaning: 'The API key or OAuth client was revoked.', detail: 'This API key has been revoked' },
  plan_limit_reached: {
    meaning:
      'The plan allows no more of these; `limit` and `current` tell how many. Remove some, ask for less or change the plan.',
    detail: 'The plan allows 100 indexes',
    fields: { limit: 100, current: 100 },
  },
  forbidden: { meaning: 'The credential lacks what the call needs.', detail: 'This needs the read permission' },
  owner_required: { meaning: 'Only an owner’s session may do this.', detail: 'Only an owner may do this' },
  write_permission_required: {
    meaning: 'The credential lacks the `write` permission, or is restricted to indexes where that is not enough.',
    detail: 'This needs the write permission',
  },
  index_not_allowed: {
    meaning: 'The credential is restricted to other indexes.',
    detail: 'These credentials may not use this index',
  },
  organization_not_allowed: {
    meaning: '`x-service-organization-id` names an organization that the credential does not belong to.',
    detail: 'These credentials do not belong to that organization',
  },
  feature_not_in_plan: {
    meaning: 'The plan of the organization does not include this.',
    detail: 'The plan does not include branching',
  },
  not_found: {
    meaning: 'There is none of this id. What belongs to another organization is answered in the same way.',
    detail: 'Index not found',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method; the header `allow` names those that it has.',
    detail: 'This path does not take this method',
  },
  conflict: {
    meaning: 'The resource is in a state that does not allow this operation.',
    detail: 'The job has ended already',
  },
  idempotency_conflict: {
    meaning: 'The `Idempotency-Key` stands for another request of the last 24 hours.',
    detail: 'This Idempotency-Key was used for another request',
  },
  index_not_ready: {
    meaning: 'The branch is still being created; `retry-after` tells when to ask again.',
    detail: 'The branch is still being created',
  },
  payload_too_large: {
    meaning:
      'The body is larger than 512 KiB (5 MiB where it has vectors, ids or a filter), or the answer would be larger than 6 MiB.',
    detail: 'The body may have at most 5242880 bytes',
  },
  unsupported_media_type: {
    meaning: 'The body is not of the media type that the operation takes, or its content type does not say so.',
    detail: 'The body must be JSON with content-type application/json',
  },
  rate_limited: {
    meaning: 'A rate limit of the plan is used up; `retry-after` tells in how many seconds it starts anew.',
    detail: 'The plan allows 6000 requests a minute',
  },
  headers_too_large: {
    meaning:
      'The request line and all headers have more than 10,240 bytes together. In this form on one machine alone: in AWS the gateway refuses such a request by itself.',
    detail: 'The request line and headers may have at most 10240 bytes',
  },
  internal: { meaning: 'The service failed. The request id tells its operator where.', detail: 'Internal error' },
  unavailable: {
    meaning:
      'The service cannot answer right now. A repeat is safe, with the same `Idempotency-Key` where one was sent; without `retry-after` it does not help before the operator of the service has looked.',
    detail: 'The service is busy, try again',
  },
};

const errorCodes = Object.keys(statusByCode) as readonly ErrorCode[];

const describeCode = (code: ErrorCode): string => `- ${statusByCode[code]} \`${code}\`: ${codeTexts[code].meaning}`;

/** One example for each code, to be referred to by its name. */
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

/** The bodies of every refusal. Source: the interface, "Errors". */
export const errorSchemas: Readonly<Record<string, Schema>> = {
  LocationPart: {
    description: 'One step to the place of a problem: a key, or a position in a list that begins with 0.',
    anyOf: [{ type: 'string' }, { type: 'integer', format: 'int32' }],
  },
  ValidationError: {
    type: 'object',
    description: 'One problem of a request.',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        description: '`body`, `query`, `path` or `header`, then keys and positions.',
        items: { $ref: '#/components/schemas/LocationPart' },
      },
      msg: { type: 'string', description: 'What is wrong, for people; may change.' },
      type: { type: 'string', description: 'A pydantic error type, such as `missing` or `greater_than_equal`.' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    description: 'Every problem of a request at once.',
    properties: {
      detail: {
        type: 'array',
        description: 'The problems, in the order of the request.',
        items: { $ref: '#/components/schemas/ValidationError' },
      },
    },
    examples: [validationExample],
  },
  VersionConflict: {
    type: 'object',
    description: 'A row that has another version than a request expects.',
    required: ['id', 'version'],
    properties: {
      id: { type: 'string', description: 'Id of the row.' },
      version: { type: ['string', 'null'], description: 'The version that the row has; null: there is no such row.' },
    },
  },
  ErrorCode: {
    type: 'string',
    enum: errorCodes,
    description: 'Stable code of a refusal. `ErrorResponse` explains each.',
  },
  ErrorResponse: {
    type: 'object',
    description: ['Every refusal but 422. `code` is stable:\n', ...errorCodes.map(describeCode)].join('\n'),
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'string', description: 'For people; may change.' },
      code: { $ref: '#/components/schemas/ErrorCode' },
      request_id: { type: 'string', description: 'Also in the header `x-request-id`.' },
      limit: { type: 'integer', format: 'int64', description: 'With `plan_limit_reached`: what the plan allows.' },
      current: {
        type: 'integer',
        format: 'int64',
        description:
          'With `plan_limit_reached`: what there is already or, where one request asks for too much, what it asks for.',
      },
      conflicts: {
        type: 'array',
        description: 'With a `conflict` that is about `if_version`: the first hundred rows whose versions differ.',
        items: { $ref: '#/components/schemas/VersionConflict' },
      },
    },
  },
};
