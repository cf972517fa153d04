import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { Item } from './contracts.ts';
import { textOf } from './read-item.ts';

/** Attributes of the limits of a credential. */
export const limitsAttributes = (limits: CredentialLimits | null): { readonly limits?: string } =>
  limits === null ? {} : { limits: JSON.stringify(limits) };

/** Returns the limits of a credential; null for none. */
export const toLimits = (item: Item): CredentialLimits | null => {
  const limits = textOf(item, 'limits');
  return limits === null ? null : (JSON.parse(limits) as CredentialLimits);
};
