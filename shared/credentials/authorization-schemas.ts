import * as z from 'zod';
import { AuthorizationQuery } from './authorization-request.ts';
import { boundsFields } from './bounds.ts';
import { limitsFields } from './limits.ts';
import { IndexIds, Permission } from './schemas.ts';

export const AuthorizationCreate = AuthorizationQuery.extend({
  permissions: z
    .array(Permission)
    .min(1)
    .max(2)
    .describe('Permissions that the person grants, among the requested ones.'),
  index_ids: IndexIds,
  ...boundsFields,
  ...limitsFields,
})
  .strict()
  .meta({
    id: 'AuthorizationCreate',
    description: 'Access that a person grants to an application, with its authorization request.',
    examples: [
      {
        response_type: 'code',
        client_id: 'https://app.example.com/oauth/client.json',
        redirect_uri: 'http://127.0.0.1:33418/callback',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        resource: 'https://api.example.com/v1/mcp',
        permissions: ['read'],
        index_ids: null,
      },
    ],
  });

/** Authorization request as the page of consent shows it. */
export const AuthorizationReview = z
  .object({
    client_name: z.string().describe('Name of the application, which it has chosen itself.'),
    client_host: z.string().nullable().describe('Host of its metadata document; null for a built-in application.'),
    redirect_host: z.string().describe('Host to which the access is sent.'),
    resource: z.string().nullable().describe('URL for which access is requested; null if there is a problem.'),
    index_id: z.string().nullable().describe('The only index of the resource; null for any index.'),
    scopes: z.array(Permission).describe('Permissions that the person may grant.'),
    problem: z.string().nullable().describe('Why the request cannot be granted; null if it can.'),
    refusal_url: z.string().describe('URL of the application that reports the refusal or the problem to it.'),
  })
  .meta({
    id: 'AuthorizationReview',
    description: 'Authorization request of an application.',
    examples: [
      {
        client_name: 'Agent',
        client_host: 'app.example.com',
        redirect_host: '127.0.0.1:33418',
        resource: 'https://api.example.com/v1/mcp',
        index_id: null,
        scopes: ['read'],
        problem: null,
        refusal_url: 'http://127.0.0.1:33418/callback?error=access_denied',
      },
    ],
  });

export const AuthorizationCreated = z
  .object({ redirect_to: z.string().describe('URL of the application, with its code.') })
  .meta({
    id: 'AuthorizationCreated',
    description: 'Where the browser of the person goes next.',
    examples: [
      { redirect_to: 'http://127.0.0.1:33418/callback?code=svc_code_example&iss=https%3A%2F%2Fapi.example.com' },
    ],
  });

export const RevocationRequest = z
  .object({
    token: z.string().describe('Access token or refresh token of a connected application.'),
    token_type_hint: z.string().optional().describe('Ignored, since the value shows its type.'),
    client_id: z.string().optional().describe('Id of the application. If present, it must be that of the token.'),
  })
  .meta({
    id: 'RevocationRequest',
    description: 'Token that is no longer needed. Source: RFC 7009, 2.1.',
    examples: [{ token: 'svc_rt_exampleexampleexample' }],
  });
