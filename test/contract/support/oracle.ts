import type { Endpoint, Needs } from '../../../shared/http/endpoint.ts';
import { type Sample, statusOf } from '../samples.ts';
import { pathParameters } from './document.ts';
import type { Caller } from './fixture.ts';

export const targets = ['own', 'restricted-away', 'foreign', 'absent'] as const;
/** Target of a request: a resource or, if the path names none, the organization in its header. */
export type Target = (typeof targets)[number];

/** Status with the error code. */
export interface Outcome {
  readonly status: number;
  readonly code: string | null;
}

const refusal = (status: number, code: string): Outcome => ({ status, code });

const credentialRefusals: Readonly<Partial<Record<Caller['kind'], Outcome>>> = {
  none: refusal(401, 'unauthenticated'),
  expired: refusal(401, 'token_expired'),
  revoked: refusal(401, 'key_revoked'),
};

/** Required access that no credential of the matrix has, or that needs none. */
type Open = 'none' | 'identity' | 'client';

const isOpen = (needed: Needs): needed is Open => needed === 'none' || needed === 'identity' || needed === 'client';

/** Returns the specified error for a caller; null if the caller is authorized. */
const needs: Readonly<Record<Exclude<Needs, Open>, (caller: Caller) => Outcome | null>> = {
  read: ({ permissions }) => (permissions.includes('read') ? null : refusal(403, 'forbidden')),
  write: ({ permissions }) => (permissions.includes('write') ? null : refusal(403, 'write_permission_required')),
  manage: ({ kind, role, permissions, indexIds }) => {
    if (kind === 'session') return role === 'owner' ? null : refusal(403, 'owner_required');
    return permissions.includes('write') && indexIds === null ? null : refusal(403, 'write_permission_required');
  },
  session: ({ kind }) => (kind === 'session' ? null : refusal(403, 'forbidden')),
  owner: ({ role }) => (role === 'owner' ? null : refusal(403, 'owner_required')),
};

/** Whether a cell of the matrix applies to an endpoint. */
export const applies = (endpoint: Endpoint, target: Target): boolean => {
  if (target === 'own') return true;
  if (target === 'restricted-away') return pathParameters(endpoint).includes('index_id');
  return !isOpen(endpoint.auth.needs);
};

interface Question {
  readonly endpoint: Endpoint;
  readonly sample: Sample;
  readonly caller: Caller;
  readonly target: Target;
  /** Organization of the target; null if the target does not exist. */
  readonly targetOrganization: string | null;
  /** Organization of the resources that the body names. */
  readonly bodyOrganization: string;
  /** The `index_id` of the path. */
  readonly indexId: string | null;
}

/**
 * Returns the expected response under a plan with every feature, by the order of the checks: credential, organization,
 * permission, existence, index.
 */
export const expectedOutcome = (question: Question): Outcome => {
  const { endpoint, sample, caller, targetOrganization, bodyOrganization, indexId } = question;
  const { needs: needed } = endpoint.auth;
  const success: Outcome = { status: statusOf(endpoint, sample), code: sample.lacks?.code ?? null };
  if (needed === 'none') return success;
  if (needed === 'client') return refusal(401, 'invalid_client');
  if (needed === 'identity') return refusal(401, 'unauthenticated');
  const refused = credentialRefusals[caller.kind];
  if (refused !== undefined) return refused;
  const named = pathParameters(endpoint).length > 0;
  const foreign = targetOrganization !== caller.organizationId;
  if (!named && foreign) return refusal(403, 'organization_not_allowed');
  const lacking = (endpoint.auth.alsoReads === true ? needs.read(caller) : null) ?? needs[needed](caller);
  if (lacking !== null) return lacking;
  const restricted = caller.indexIds !== null;
  const isBarred = restricted && (sample.makesIndex === true || endpoint.auth.unrestricted === true);
  // Without an index in the path, the restriction is checked before the resource is read.
  if (isBarred && indexId === null) return refusal(403, 'index_not_allowed');
  const isNew = sample.createsNamed === 'for body' && targetOrganization === null;
  const isThere = sample.createsNamed === 'alone' || (sample.isShared === true && targetOrganization !== null);
  const isMissing = isThere ? false : isNew ? bodyOrganization !== caller.organizationId : foreign;
  if (named && isMissing) return refusal(404, 'not_found');
  if (restricted && indexId !== null && !caller.indexIds.includes(indexId)) return refusal(403, 'index_not_allowed');
  if (isBarred) return refusal(403, 'index_not_allowed');
  if (restricted && sample.isHidden === true) return refusal(404, 'not_found');
  if (sample.grants?.some((permission) => !caller.permissions.includes(permission)) === true)
    return refusal(403, 'forbidden');
  return success;
};
