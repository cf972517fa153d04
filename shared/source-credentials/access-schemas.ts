import { createPrivateKey } from 'node:crypto';
import * as z from 'zod';

/** Schema of a credential: visible ASCII, the only characters allowed in a header or query. */
export const visibleText = (maxCharacters: number) =>
  z
    .string()
    .min(1)
    .max(maxCharacters, { abort: true })
    .regex(/^[\x21-\x7e]*$/);

/** Access keys of a user or a role's session, or a role that the service assumes. */
export const S3Credentials = z
  .strictObject({
    access_key_id: z
      .string()
      .regex(/^\w{16,128}$/)
      .optional()
      .describe('Id of the access key.'),
    secret_access_key: visibleText(1024).optional().describe('Secret of the access key.'),
    session_token: visibleText(8192).optional().describe('Session token of temporary keys.'),
    role_arn: z
      .string()
      .regex(/^arn:aws(-cn|-us-gov)?:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/)
      .optional()
      .describe('Role that the service assumes, in place of keys.'),
  })
  .superRefine(
    (value: Readonly<Record<string, unknown>> | null, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const given = (name: string): boolean => value[name] !== undefined;
      const missing = (name: string) =>
        context.addIssue({ code: 'invalid_type', expected: 'string', path: [name], input: undefined });
      const excess = (name: string, message: string) =>
        context.addIssue({ code: 'custom', path: [name], message, input: value[name] });
      const keys = ['access_key_id', 'secret_access_key', 'session_token'].filter(given);
      if (given('role_arn')) {
        for (const name of keys) excess(name, 'give either access keys or a role');
        return;
      }
      for (const name of ['access_key_id', 'secret_access_key']) if (!given(name)) missing(name);
    },
    // Runs even if a field is invalid, so that all problems are reported at once.
    { when: () => true },
  )
  .meta({
    id: 'S3Credentials',
    description:
      '`access_key_id` and `secret_access_key`, with `session_token` for temporary ones; or `role_arn`, of a role whose trust policy names the import function and, as external id, the id of the organization.',
  });

/** Whether a text is a readable private RSA key. A damaged key is not. */
const isRsaKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
};

/**
 * Key file of a Google service account. Its addresses (`token_uri` and others) are dropped, since the service connects
 * only to Google's own.
 */
export const GoogleCredentials = z
  .object({
    type: z.literal('service_account').describe('Always `service_account`.'),
    client_email: z.email().max(320).describe('Address of the service account.'),
    private_key: z
      .string()
      .max(8192, { abort: true })
      .regex(/^-----BEGIN (RSA )?PRIVATE KEY-----[\s\w+/=]+-----END (RSA )?PRIVATE KEY-----\s*$/)
      .refine(isRsaKey, {
        error: 'the key is damaged or is no RSA key',
        when: ({ issues }) => issues.length === 0,
      })
      .describe('Private RSA key in PEM form.'),
    private_key_id: z.string().max(255).optional().describe('Id of the key.'),
    project_id: z.string().max(255).optional().describe('Project of the service account.'),
  })
  .meta({ id: 'GoogleCredentials', description: 'The JSON key file of a service account, as it is.' });

/** A shared access signature. */
export const AzureCredentials = z
  .strictObject({
    sas_token: z
      .string()
      .min(1, { abort: true })
      .max(4096, { abort: true })
      .regex(/^[\x21\x24-\x7e]*$/)
      .refine((token) => new URLSearchParams(token).has('sig'), { error: 'a SAS token contains sig=…' })
      .describe('Query string of a shared access signature: `sv=…&sig=…`.'),
  })
  .meta({ id: 'AzureCredentials', description: 'A shared access signature.' });
