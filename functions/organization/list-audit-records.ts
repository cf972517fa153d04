import * as z from 'zod';
import {
  auditFilterOf,
  AuditQuery,
  auditRead,
  AuditRecordResponse,
  toAuditResponse,
} from '../../shared/audit/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, toPageRequest } from '../../shared/http/pagination.ts';

export const listAuditRecords = endpoint({
  id: 'list-audit-records',
  method: 'GET',
  path: '/v1/organization/audit',
  tag: 'Organizations',
  summary: 'List the audit log',
  description:
    'Lists who changed what from where, newest first, for a year. Every change but that of rows and files is recorded: credentials, members, indexes, exports, imports, settings, consents and sign-ins. A record stays if its resource is deleted.',
  auth: { needs: 'manage' },
  uses: { audit: auditRead },
  query: AuditQuery,
  status: 200,
  response: z.array(AuditRecordResponse),
  handle: async ({ caller, deps, query }) => {
    const { records, next } = await deps.audit.page(caller.organizationId, auditFilterOf(query), toPageRequest(query));
    return { body: records.map(toAuditResponse), headers: nextCursorHeader(next) };
  },
});
