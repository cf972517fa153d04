import { createHmac, hkdfSync } from 'node:crypto';

/** Mints a token of an end user with any claims, also those that the clients refuse. */
export const mintUserToken = (apiKey: string, claims: object): string => {
  const signed = `svc_ut_${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const key = Buffer.from(hkdfSync('sha256', apiKey, '', 'user token v1', 32));
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};
