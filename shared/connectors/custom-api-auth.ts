import * as z from 'zod';
import { visibleText } from '../imports/index.ts';
import { tagged } from '../kernel/tagged.ts';

/* oxlint-disable no-control-regex -- control characters are what they exclude */
// A colon ends the user name in the header that contains both.
const userForm = /^[^:\x00-\x1f\x7f]*$/;
const passwordForm = /^[^\x00-\x1f\x7f]*$/;
/* oxlint-enable no-control-regex */

const HeaderName = z
  .string()
  .max(255, { abort: true })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/)
  .refine((name) => !/^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect)$/i.test(name), {
    error: 'this header is set by the service',
  });

/** A header's value: visible ASCII with spaces inside. */
const HeaderValue = z
  .string()
  .max(8192, { abort: true })
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);

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
]).meta({ id: 'CustomApiAuth', description: 'How requests to a custom API authenticate.' });
