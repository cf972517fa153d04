import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectDirectory } from '../support/project-directory.ts';
import { stopChild } from '../support/stop-child.ts';

const startPatienceMs = 60_000;

/** An emulator of AWS that serves. */
export interface Emulator {
  readonly url: string;
  /** Environment of a command that works on it. */
  readonly env: NodeJS.ProcessEnv;
  readonly stop: () => Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
};

/** The SDK of the Lambda runtime, which ministack lacks. Bundles leave it out. */
const linkRuntime = (directory: string): string => {
  const modules = join(directory, 'runtime');
  mkdirSync(modules, { recursive: true });
  for (const scope of ['@aws-sdk', '@smithy'])
    symlinkSync(join(projectDirectory, 'node_modules', scope), join(modules, scope));
  return modules;
};

/** Whether the emulator answers. Its certificate is its own, so the connection is not verified. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/_ministack/health', rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .once('error', () => resolve(false))
      .end();
  });

/**
 * Starts ministack over TLS, because bucket policies refuse plain HTTP, and with its check of roles.
 * @param python Program of the Python in whose environment it is installed.
 * @param directory Empty directory for its state and log.
 */
export const startMinistack = async (python: string, directory: string): Promise<Emulator> => {
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const certificate = join(directory, 'ministack-tls', 'server.crt');
  const nodeDirectory = join(projectDirectory, 'node_modules', 'node', 'bin');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [nodeDirectory, process.env['PATH']].join(delimiter),
    TMPDIR: directory,
    NODE_EXTRA_CA_CERTS: certificate,
    AWS_CA_BUNDLE: certificate,
    SSL_CERT_FILE: certificate,
  };
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_ACCOUNT_ID', 'NODE_OPTIONS'])
    delete env[name];
  const log = openSync(join(directory, 'ministack.log'), 'w');
  const child = spawn(python, [join(import.meta.dirname, 'start-ministack.py')], {
    cwd: directory,
    stdio: ['ignore', log, log],
    env: {
      ...env,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      STATE_DIR: join(directory, 'state'),
      USE_SSL: '1',
      AUTH: 'true',
      NODE_PATH: linkRuntime(directory),
      // The engine does not take the certificate from the environment.
      AWS_ALLOW_INVALID_CERTIFICATES: 'true',
      // The receiver of the smoke test is the API itself, whose address is of this machine.
      STRATA_ALLOW_LOCAL_WEBHOOKS: 'true',
    },
  });
  closeSync(log);
  const deadline = performance.now() + startPatienceMs;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`ministack did not start. Its output is in ${join(directory, 'ministack.log')}`);
    await pause(200);
  }
  return {
    url,
    env: { ...env, AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    stop: () => stopChild(child),
  };
};
