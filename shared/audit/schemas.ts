import * as z from 'zod';
import { auditActions } from '../http/audit-actions.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { pageQueryOf } from '../http/pagination.ts';
import { Timestamp } from '../http/timestamp.ts';
import type { AuditFilter, StoredAuditRecord } from './repository.ts';

const AuditAction = z
  .enum(auditActions)
  .meta({ id: 'AuditAction', description: 'Type of the changed resource, and what happened to it.' });

/** Query of the audit log. */
export const AuditQuery = pageQueryOf('audit').extend({
  action: AuditAction.optional().describe('Only records of this action.'),
  actor: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe(
      'Only changes by this actor, or by a credential that it created: an id, or the e-mail address of a user.',
    ),
  resource_id: z.string().min(1).max(128).optional().describe('Only changes of this resource, or within this index.'),
  from: Timestamp.optional().describe('Only changes at this time or later.'),
  to: Timestamp.optional().describe('Only changes before this time.'),
});

/** Returns the filter of a query. */
export const auditFilterOf = ({ action, actor, resource_id, from, to }: z.output<typeof AuditQuery>): AuditFilter => ({
  action,
  actor,
  resourceId: resource_id,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

/** Record for examples in the API description. */
export const exampleAuditRecord = {
  id: exampleId('audit'),
  at: exampleTime,
  action: 'api_key.created',
  outcome: 'succeeded',
  actor: { kind: 'session', id: exampleId('usr'), email: 'ada@example.com', creators: [] },
  resource: { type: 'api_key', id: exampleId('key'), name: 'nightly import' },
  index_id: null,
  source_ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  request_id: exampleId('req'),
  details: { permissions: ['read'], index_ids: null },
} as const;

export const AuditRecordResponse = z
  .object({
    id: z.string().describe('Id of the record.'),
    at: z.iso.datetime().describe('When the request was made.'),
    action: AuditAction,
    outcome: z.enum(['succeeded', 'unknown']).meta({
      id: 'AuditOutcome',
      description:
        '`succeeded`: the change was made. `unknown`: the request is running, or ended by an error of the service, and may have made the change.',
    }),
    actor: z
      .object({
        kind: z
          .enum(['api_key', 'access_token', 'grant', 'session', 'user_token'])
          .meta({ id: 'AuditActorKind', description: 'Kind of a credential. `session`: a user.' }),
        id: z.string().describe('Id of the API key, OAuth client, grant or user.'),
        email: z.string().nullable().describe('E-mail address of the user of a session; null for other credentials.'),
        creators: z
          .array(z.string())
          .describe('Creators of the credential, first to last: a user, API keys and OAuth clients.'),
      })
      .meta({ id: 'AuditActor', description: 'Who made a change.' }),
    resource: z
      .object({
        type: z.string().describe('Type of the resource: the first part of the action.'),
        id: z.string().nullable().describe('Id of the resource; null if it has none.'),
        name: z.string().nullable().describe('Name of the resource at the time; null if it has none.'),
      })
      .meta({ id: 'AuditedResource', description: 'The changed resource. It may have been deleted since.' }),
    index_id: z.string().nullable().describe('Index in the path of the request; null if there is none.'),
    source_ip: z.string().nullable().describe('IP address of the client; null if it is unknown.'),
    user_agent: z.string().nullable().describe('`user-agent` header of the request; null if it had none.'),
    request_id: z.string().describe('Id of the request, as in its response.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('Fields of the request. No value is secret. The JSON of a value of more than 1,000 characters is cut.'),
  })
  .meta({
    id: 'AuditRecordResponse',
    description: 'Record of one change.',
    examples: [exampleAuditRecord],
  });

/** Returns a record as callers see it. */
export const toAuditResponse = (record: StoredAuditRecord): z.input<typeof AuditRecordResponse> => ({
  id: record.id,
  at: record.at,
  action: record.action,
  outcome: record.outcome,
  actor: { ...record.actor, creators: [...record.actor.creators] },
  resource: { type: record.action.slice(0, record.action.indexOf('.')), ...record.resource },
  index_id: record.indexId,
  source_ip: record.sourceIp,
  user_agent: record.userAgent,
  request_id: record.requestId,
  details: record.details,
});
