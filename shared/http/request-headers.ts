import * as z from 'zod';

/** Headers of a connection, which the service sets. */
const ownHeaders = /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|te|trailer|expect)$/i;

/** Schema of the name of a header that a caller adds to requests to its source. */
export const HeaderName = z
  .string()
  .max(255, { abort: true })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/)
  .refine((name) => !ownHeaders.test(name), { error: 'this header is set by the service' });

/** Schema of the value of such a header: visible ASCII with spaces inside. */
export const HeaderValue = z
  .string()
  .max(8192, { abort: true })
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
