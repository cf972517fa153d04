import { isExpected } from '../kernel/errors.ts';
import type { Json } from '../kernel/json.ts';
import type { AuditAction } from './audit-actions.ts';
import type { IdempotencyContext } from './idempotency.ts';
import type { Principal } from './principal.ts';

/** Caller of a recorded change. */
export interface AuditActor extends Pick<Principal, 'kind' | 'email' | 'creators'> {
  /** Id of the API key, OAuth client, grant or user. */
  readonly id: string;
}

/** Changed resource. Its type is in the action. */
export interface AuditedResource {
  readonly id: string | null;
  readonly name: string | null;
}

/** Record of one change. */
export interface AuditRecord {
  /** The same for a repeat of the request. */
  readonly id: string;
  readonly organizationId: string;
  readonly at: string;
  readonly action: AuditAction;
  readonly actor: AuditActor;
  readonly resource: AuditedResource;
  /** Index in the path of the request; null if there is none. */
  readonly indexId: string | null;
  /** Address of the client as the gateway has seen it; null if it is unknown. */
  readonly sourceIp: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly details: Readonly<Record<string, Json>>;
}

/** Stores records. Each call is idempotent. */
export interface AuditLog {
  /** Stores a record before its change, as one of unknown outcome. */
  begin(record: AuditRecord): Promise<void>;
  /** Stores the success of a change. */
  succeed(record: AuditRecord): Promise<void>;
  /** Takes back the record of a request that changed nothing, unless it is one of an earlier run. */
  refuse(record: AuditRecord): Promise<void>;
}

/** Change that a handler announces before it makes it. Absent fields are those of the request. */
export interface AnnouncedChange {
  readonly organizationId: string;
  readonly actor?: AuditActor;
  readonly resource: AuditedResource;
}

/** Announces a change: one record in each organization that it concerns. */
export type Announce = (changes: readonly AnnouncedChange[]) => Promise<void>;

/** Known fields of a resource. Null and absent: unknown. */
type AuditedFacts = { readonly [Field in keyof AuditedResource]?: AuditedResource[Field] | undefined };

/** How the audit log records the success of an endpoint. */
export interface Audit<Call, Field extends string, Response> {
  readonly action: AuditAction;
  /** Returns what is known of the resource before the change, such as the name of one that is deleted. */
  readonly before?: (call: Call) => AuditedFacts | Promise<AuditedFacts>;
  /** Returns what the response adds, such as the id of a created resource. */
  readonly after?: (response: Response) => AuditedFacts;
  /** Fields of the body that are recorded. None of them contains a secret. */
  readonly details?: readonly Field[];
  /** Whether the handler announces the change by `announce`: no principal is known, or another organization is changed. */
  readonly isAnnounced?: true;
}

// oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the functions against the definition
export type AnyAudit = Audit<any, string, any>;

/** Returns the host of a URL, whose path and query may contain secrets. */
export const hostOf = (url: string): string => new URL(url).host;

/** Maximum length of the stored `user-agent` header and of the name of a resource. */
const maxTextCharacters = 255;

/** Maximum length of the JSON of one field of the body. */
const maxDetailCharacters = 1_000;

const bounded = (value: unknown): Json => {
  const text = JSON.stringify(value);
  return text.length <= maxDetailCharacters ? (value as Json) : `${text.slice(0, maxDetailCharacters)}…`;
};

const detailsOf = (fields: readonly string[], body: unknown): Readonly<Record<string, Json>> => {
  const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.flatMap((name) => (sent[name] === undefined ? [] : [[name, bounded(sent[name])]])));
};

const actorOf = ({ kind, subjectId, email, creators }: Principal): AuditActor => ({
  kind,
  id: subjectId,
  email,
  creators,
});

const merged = (known: AuditedResource, { id, name }: AuditedFacts = {}): AuditedResource => ({
  id: id ?? known.id,
  name: (name ?? known.name)?.slice(0, maxTextCharacters) ?? null,
});

/** Validated request of an audited endpoint. */
interface AuditedCall {
  readonly caller: Principal | null;
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly sourceIp: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly idempotency: IdempotencyContext;
}

/**
 * Runs a handler between two writes of its record: before the change one of unknown outcome, and afterwards its success. If
 * the run ends between them, the record stays. A refusal takes it back, and so does a success that changed nothing, which is
 * the alternative response. A success without a stored record is an error.
 */
export const runAudited = async <Value>(
  audit: AnyAudit,
  log: AuditLog,
  call: AuditedCall,
  handle: (
    announce: Announce,
  ) => Promise<{ readonly response: unknown; readonly value: Value; readonly isUnchanged: boolean }>,
): Promise<Value> => {
  const { caller, path, body, sourceIp, userAgent, requestId, idempotency } = call;
  const begun: AuditRecord[] = [];
  const id = idempotency.id('audit');
  const announce: Announce = async (changes) => {
    for (const { organizationId, actor, resource } of changes) {
      const by = actor ?? (caller === null ? null : actorOf(caller));
      if (by === null) throw new Error(`${audit.action} has no actor`);
      const record: AuditRecord = {
        id,
        organizationId,
        at: idempotency.at.toISOString(),
        action: audit.action,
        actor: by,
        resource: merged(resource),
        indexId: path['index_id'] ?? null,
        sourceIp,
        userAgent: userAgent?.slice(0, maxTextCharacters) ?? null,
        requestId,
        details: detailsOf(audit.details ?? [], body),
      };
      await log.begin(record);
      begun.push(record);
    }
  };
  if (audit.isAnnounced !== true && caller !== null) {
    const resource = merged({ id: null, name: null }, await audit.before?.(call));
    await announce([{ organizationId: caller.organizationId, resource }]);
  }
  try {
    const { response, value, isUnchanged } = await handle(announce);
    const changed = audit.after?.(response);
    for (const record of begun)
      await (isUnchanged ? log.refuse(record) : log.succeed({ ...record, resource: merged(record.resource, changed) }));
    return value;
  } catch (error) {
    // Only a refusal is known to have changed nothing.
    if (isExpected(error)) for (const record of begun) await log.refuse(record);
    throw error;
  }
};
