import { type AuditAction, auditActions } from '../../../shared/http/audit-actions.ts';

/** Filter of the audit log, in the address of the page. */
export interface AuditFilter {
  readonly action?: AuditAction;
  readonly actor?: string;
  readonly resource?: string;
  /** Days, both inclusive, in the time zone of the browser. */
  readonly from?: string;
  readonly to?: string;
}

/** Parameters that are free text. */
export const auditFilterTexts = ['actor', 'resource', 'from', 'to'] as const;

/** Reads the filter in an address. Parameters that are not valid are left out. */
export const readAuditFilter = (search: Readonly<Record<string, unknown>>): AuditFilter => {
  const action = auditActions.find((known) => known === search['action']);
  const given = auditFilterTexts.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return { ...(action === undefined ? {} : { action }), ...Object.fromEntries(given) };
};
