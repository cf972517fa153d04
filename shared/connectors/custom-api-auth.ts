import * as z from 'zod';
import { HeaderName, HeaderValue } from '../http/request-headers.ts';
import { visibleText } from '../source-credentials/index.ts';
import { maxUrlCharacters } from '../kernel/bounds.ts';
import { tagged } from '../kernel/tagged.ts';
import { publicUrlProblem } from '../platform/delivery/public-address.ts';

/** An https address on the public internet, or of this machine where the deployment allows that. */
const PublicUrl = z
  .string()
  .min(1, { abort: true })
  .max(maxUrlCharacters, { abort: true })
  .superRefine((url, context) => {
    const problem = publicUrlProblem(url, ['https:'], true);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  });

/* oxlint-disable no-control-regex -- control characters are what they exclude */
// A colon ends the user name in the header that contains both.
const userForm = /^[^:\x00-\x1f\x7f]*$/;
const passwordForm = /^[^\x00-\x1f\x7f]*$/;
/* oxlint-enable no-control-regex */

/** How requests to a custom API authenticate. */
export const CustomApiAuth = tagged('type', [
  z
    .strictObject({ type: z.literal('none').describe('Always `none`.') })
    .meta({ id: 'NoAuth', description: 'Requests carry no credential.' }),
  z
    .strictObject({
      type: z.literal('bearer').describe('Always `bearer`.'),
      token: visibleText(8192).describe('Bearer value.'),
    })
    .meta({ id: 'BearerAuth', description: 'Requests carry a bearer value.' }),
  z
    .strictObject({
      type: z.literal('basic').describe('Always `basic`.'),
      username: z.string().max(1024, { abort: true }).regex(userForm).describe('User name, without a colon.'),
      password: z.string().max(1024, { abort: true }).regex(passwordForm).describe('Password.'),
    })
    .meta({ id: 'BasicAuth', description: 'Requests carry a user name and a password.' }),
  z
    .strictObject({
      type: z.literal('header').describe('Always `header`.'),
      name: HeaderName.describe('Name of the header.'),
      value: HeaderValue.describe('Value of the header.'),
    })
    .meta({ id: 'HeaderAuth', description: 'Requests carry a header of their own.' }),
  z
    .strictObject({
      type: z.literal('oauth_client_credentials').describe('Always `oauth_client_credentials`.'),
      token_url: PublicUrl.describe('Token endpoint, an https address on the public internet.'),
      client_id: visibleText(1024).describe('Id of the OAuth client.'),
      client_secret: visibleText(4096).describe('Secret of the OAuth client.'),
      scope: z.string().max(2048).nullable().default(null).describe('Scopes, separated by spaces; null: none.'),
      client_authentication: z
        .enum(['basic', 'body'])
        .default('basic')
        .describe('Where the token request has id and secret: in HTTP Basic, or in the body.'),
    })
    .meta({
      id: 'OauthClientCredentialsAuth',
      description: 'Requests carry an access token that the service gets and renews (OAuth 2.0, client credentials).',
    }),
]).meta({ id: 'CustomApiAuth', description: 'How requests to a custom API authenticate.' });
