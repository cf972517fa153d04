import { StrataError } from '../../strata-error.ts';
import { type Call, type Command, exitCodes } from '../command.ts';

const maxSkewSeconds = 60;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const checkAddress = async ({ url }: Call): Promise<string> => {
  const response = await fetch(`${url}/v1/health`, { redirect: 'manual' });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} returned ${response.status}. Check --url or STRATA_URL.`);
  return url;
};

const checkClock = async ({ url }: Call): Promise<string> => {
  const response = await fetch(`${url}/v1/health`, { redirect: 'manual' });
  await response.body?.cancel();
  const seconds = Math.round((Date.now() - Date.parse(response.headers.get('date') ?? '')) / 1000);
  if (Number.isNaN(seconds)) return 'unknown, the response has no date';
  if (Math.abs(seconds) > maxSkewSeconds) throw new Error(`This clock differs by ${seconds} s. Synchronize it.`);
  return `differs by ${seconds} s`;
};

const checkRead = async (call: Call): Promise<string> => {
  await call.client().get('/v1/indexes', { params: { query: { limit: 1 } } });
  return 'can read';
};

/** Permission is checked before the body, so a body that is refused shows whether the credential may write. */
const checkWrite = async (call: Call): Promise<string> => {
  try {
    await call.client().post('/v1/indexes', { body: { name: '' } });
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    if (error.status === 403) return `no rights to create indexes: ${error.code}`;
    if (error.status !== 422) throw error;
  }
  return 'can create indexes';
};

const checkVersions = async ({ url }: Call): Promise<string> => {
  const { info } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly info: { readonly version: string };
  };
  return `service ${info.version}, Node.js ${process.versions.node}`;
};

const checks = {
  address: checkAddress,
  credential: checkRead,
  rights: checkWrite,
  clock: checkClock,
  versions: checkVersions,
};

export const doctor: Command = {
  usage: 'doctor',
  summary: 'checks address, credential, rights, clock and versions',
  options: {},
  run: async (call) => {
    let code = 0;
    for (const [name, check] of Object.entries(checks)) {
      const [passed, detail] = await check(call).then(
        (text) => [true, text] as const,
        (error: unknown) => [false, messageOf(error)] as const,
      );
      if (!passed) code = exitCodes.failed;
      call.print({ check: name, passed, detail }, `${passed ? 'ok    ' : 'failed'}  ${name.padEnd(10)}  ${detail}`);
    }
    return code;
  },
};
