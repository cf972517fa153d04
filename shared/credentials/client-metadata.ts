import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { controlOrDirection } from '../kernel/text.ts';
import { openPublicGet } from '../platform/connectors/public-http.ts';
import { bareHost, isLocalUrl, publicUrlProblem } from '../platform/delivery/public-address.ts';

/** Application that asks for access, as its metadata document describes it, or built in. */
export interface ClientMetadata {
  /** URL of the document, which is the id of the application, or the id of a built-in application. */
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface ClientMetadataReader {
  /** Throws `bad_request` for an id that is no URL, and for a document that cannot be read or is not valid. */
  read(clientId: string): Promise<ClientMetadata>;
}

/** The command line of the package `strata-client`, which has no metadata document on any server. Source: RFC 8252, 7.3. */
const commandLine: ClientMetadata = {
  id: 'strata-cli',
  name: 'Strata command line',
  redirectUris: ['http://127.0.0.1/callback'],
};

/** Source: OAuth Client ID Metadata Document, 6.6, which recommends 5 KB. */
const maxBytes = 16 * 1024;
/** For the whole request. A server of an application could otherwise hold a function. */
const timeoutMs = 1_500;

/** How long a document, or the failure to read it, is used for further requests to the same process. */
const keptMs = 5 * minuteMs;
const maxKept = 200;

/** Schemes that are not those of an installed application. */
const foreignSchemes = /^(?:about|blob|data|file|filesystem|ftp|javascript|vbscript|view-source|wss?):/i;

/** Whether a browser may be sent to a URL: https, plain HTTP of the person's own machine, or a scheme of an application. */
const isRedirectUri = (text: string): boolean => {
  if (!URL.canParse(text) || text.includes('#') || foreignSchemes.test(text)) return false;
  const url = new URL(text);
  if (url.protocol === 'http:') return isLocalUrl(url);
  return url.protocol === 'https:' || /^[a-z][a-z0-9+.-]*:\/\/./i.test(text);
};

/** Returns a name without characters that hide or reorder the text around it. */
const visibleName = (name: string): string => name.toWellFormed().replaceAll(controlOrDirection, ' ').trim();

const Document = z.object({
  client_id: z.string(),
  client_name: z.string().transform(visibleName).pipe(z.string().min(1).max(100)),
  redirect_uris: z.array(z.string().max(2_000).refine(isRedirectUri)).min(1).max(50),
  token_endpoint_auth_method: z.literal('none').default('none'),
  client_secret: z.undefined().optional(),
});

const refused = (why: string, cause?: unknown): AppError =>
  new AppError('bad_request', `The application cannot be connected: ${why}`, { cause });

/** Whether a URL has the form of a client id: with a path, and without dot segments, query, fragment or credentials. */
const isClientId = (text: string): boolean => {
  if (text.length > 500 || !URL.canParse(text)) return false;
  const { href, pathname, search } = new URL(text);
  return href === text && pathname !== '/' && search === '';
};

/** Keeps the results of a function, failures too, for some minutes. */
const keeping = <Value>(clock: Clock, read: (key: string) => Promise<Value>): ((key: string) => Promise<Value>) => {
  const kept = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (key) => {
    const nowMs = clock.now().getTime();
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.value;
    const value = read(key);
    kept.delete(key);
    kept.set(key, { untilMs: nowMs + keptMs, value });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return value;
  };
};

const openReader = ({ config, clock }: Runtime): ClientMetadataReader => {
  const get = openPublicGet(config.allowLocalWebhooks);
  const fetchDocument = async (url: string): Promise<Uint8Array> => {
    const request = { url, method: 'GET', maxBytes, timeoutMs, followsRedirects: false } as const;
    const response = await get({ ...request, headers: { accept: 'application/json' } }, clock.now()).catch(
      (error: unknown) => {
        throw refused('its metadata document cannot be read', error);
      },
    );
    if (response === null) throw refused('it has no metadata document');
    return response.bytes;
  };
  const readDocument = keeping(clock, async (clientId: string): Promise<ClientMetadata> => {
    const bytes = await fetchDocument(clientId);
    try {
      const document = Document.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
      if (document.client_id !== clientId) throw new Error('the document has another client_id');
      return { id: clientId, name: document.client_name, redirectUris: document.redirect_uris };
    } catch (cause) {
      throw refused('its metadata document is not valid', cause);
    }
  });
  return {
    read: async (clientId) => {
      if (clientId === commandLine.id) return commandLine;
      const problem = isClientId(clientId)
        ? publicUrlProblem(clientId, ['https:'], config.allowLocalWebhooks)
        : 'it must be the https URL of a metadata document';
      if (problem !== null) throw refused(`client_id: ${problem}`);
      return readDocument(clientId);
    },
  };
};

/** Reads metadata documents of applications. A module of its own keeps undici out of other bundles. */
export const clientMetadata = capability<ClientMetadataReader>(['network.public'], openReader);

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

/** Returns a loopback URL without its port; null for any other URL. */
const withoutLoopbackPort = (text: string): string | null => {
  const url = new URL(text);
  if (url.protocol !== 'http:' || !loopbackHosts.has(bareHost(url.hostname))) return null;
  url.port = '';
  return url.href;
};

/** Whether a redirect URI is registered. Texts must be equal, except for loopback ports. Source: RFC 8252, 7.3. */
export const isRegistered = ({ redirectUris }: ClientMetadata, redirectUri: string): boolean => {
  if (redirectUris.includes(redirectUri)) return true;
  if (!isRedirectUri(redirectUri)) return false;
  const own = withoutLoopbackPort(redirectUri);
  return own !== null && redirectUris.some((registered) => withoutLoopbackPort(registered) === own);
};
