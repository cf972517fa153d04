import { placeOptions, placeUsage } from '../operator/place.ts';
import { readCommandLine } from '../support/read-command-line.ts';

export const smokeUsage = `npm run smoke -- --url URL [options]

Checks a deployment by its main path: sign-in, index, upload, searches, branch, delivery of an event, and removal of all
that it created. Ends with exit code 1 if a step fails.

  --url URL            address of the service, such as the output ApiUrl, or of a run of npm start
  --user EMAIL         user of the deployment's user pool, whose password is in STRATA_PASSWORD
  --client-id ID       client of the user pool (default: output UserPoolClientId of the data stack)
  --organization ID    organization to use, if the user belongs to several
${placeUsage}

STRATA_TOKEN may contain the session token or ID token of an owner in place of --user. Without either, a run of npm start
signs in a person of its own.
`;

/** Identity that the steps run under. */
export type Identity =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'user';
      readonly email: string;
      readonly password: string;
      readonly clientId: string | undefined;
      readonly place: { readonly [Name in keyof typeof placeOptions]?: string | undefined };
    }
  /** The identity provider of a run of npm start. */
  | { readonly kind: 'local' };

export interface SmokeOptions {
  /** Without a slash at the end. */
  readonly url: string;
  readonly identity: Identity;
  readonly organizationId: string | undefined;
}

const isLocal = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

/** Reads the command line and the environment; null if help is asked for. Throws Error that says what is missing. */
export const readSmokeOptions = (args: readonly string[]): SmokeOptions | null => {
  const { values } = readCommandLine({
    args: [...args],
    options: {
      url: { type: 'string' },
      user: { type: 'string' },
      'client-id': { type: 'string' },
      organization: { type: 'string' },
      help: { type: 'boolean', default: false },
      ...placeOptions,
    },
  });
  if (values.help) return null;
  if (values.url === undefined || !URL.canParse(values.url))
    throw new Error('--url is missing or no address. Give the output ApiUrl, such as https://api.example.com');
  const { STRATA_TOKEN: token = '', STRATA_PASSWORD: password = '' } = process.env;
  const { user: email, organization: organizationId, 'client-id': clientId } = values;
  const url = values.url.replace(/\/+$/, '');
  const identify = (): Identity => {
    if (email !== undefined) {
      if (password === '') throw new Error(`STRATA_PASSWORD is missing. It has to contain the password of ${email}.`);
      return { kind: 'user', email, password, clientId, place: values };
    }
    if (token !== '') return { kind: 'token', token };
    if (isLocal(url)) return { kind: 'local' };
    throw new Error('No credential: give --user EMAIL with STRATA_PASSWORD, or the token of an owner in STRATA_TOKEN.');
  };
  return { url, identity: identify(), organizationId };
};
