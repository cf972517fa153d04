import { type AuditReader, type AuditRef, toAuditResponse } from '../audit/index.ts';
import { auditRecorded, type EventWriter, relayEvents } from '../events/index.ts';
import { plans } from '../kernel/plans.ts';
import { planOf, type OrganizationReader } from '../organizations/index.ts';
import { isSubscribed } from './record.ts';
import type { WebhookReader } from './repository.ts';

type RelayDeps = Parameters<typeof relayEvents>[0] & {
  readonly audit: Pick<AuditReader, 'get'>;
  readonly events: EventWriter;
  readonly webhooks: Pick<WebhookReader, 'list'>;
  readonly organizations: Pick<OrganizationReader, 'get'>;
};

/**
 * Records and publishes the event of an audit record, if an endpoint of the organization names its type. Throws if the
 * record has not succeeded yet.
 */
export const relayAuditRecord = async (deps: RelayDeps, { organization_id, audit_id }: AuditRef): Promise<void> => {
  const record = await deps.audit.get(organization_id, audit_id);
  if (record === null) return;
  if (record.outcome !== 'succeeded') throw new Error(`audit record ${audit_id} has not succeeded yet`);
  const endpoints = await deps.webhooks.list(organization_id);
  if (!endpoints.some((endpoint) => isSubscribed(endpoint, 'audit.recorded'))) return;
  const at = new Date(record.at);
  const event = auditRecorded({ organizationId: organization_id, at, record: toAuditResponse(record) });
  const plan = await planOf(deps.organizations, organization_id);
  await deps.events.record(event, plans[plan].limits.event_retention_days);
  const [failure] = (await relayEvents(deps, [{ organization_id, event_id: event.id }])).values();
  if (failure !== undefined) throw failure;
};
