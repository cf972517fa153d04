import type { AuditLog } from '../http/audit.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { capability, makeDeps, type Runtime } from '../kernel/capability.ts';
import { type AuditReader, openAuditLog, openAuditReader } from './repository.ts';

const auditAppend = capability<AuditLog>(['audit.append', 'relay.send'], openAuditLog);
export const auditRead = capability<AuditReader>(['audit.read'], openAuditReader);

/** Returns what the audit of an endpoint uses: nothing if it has none. */
export const auditUsesOf = ({ audit }: Pick<Endpoint, 'audit'>): { readonly audit?: typeof auditAppend } =>
  audit === undefined ? {} : { audit: auditAppend };

/** Returns the log to which an endpoint appends; null if it has no `audit`. */
export const auditLogOf = (endpoint: Pick<Endpoint, 'audit'>, runtime: Runtime): AuditLog | null =>
  makeDeps(auditUsesOf(endpoint), runtime).audit ?? null;

export { type AuditReader, AuditRef } from './repository.ts';
export { auditFilterOf, AuditQuery, AuditRecordResponse, exampleAuditRecord, toAuditResponse } from './schemas.ts';
