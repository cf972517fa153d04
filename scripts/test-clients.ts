// Generates a client in each language from the API description and runs its example against a fresh local service.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDirectory } from './support/project-directory.ts';
import { type Service, startService } from './support/start-service.ts';

const run = promisify(execFile);

const description = join(projectDirectory, 'docs', 'openapi.json');

/** Commands that generate, check and run the client of one language, in a folder with the files of its example. */
interface Language {
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  readonly commands: readonly string[];
}

const strict = '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --allowImportingTsExtensions';
const compiler = `--target es2023 --module esnext --moduleResolution bundler --types node ${strict}`;
const bundler = '--bundle --platform=node --format=esm';

const languages: Readonly<Record<string, Language>> = {
  go: {
    env: (folder) => ({
      GOPATH: join(folder, 'gopath'),
      GOCACHE: join(folder, 'gocache'),
      GOFLAGS: '-modcacherw',
      GOTOOLCHAIN: 'local',
    }),
    commands: [
      'go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      'mkdir strata',
      `gopath/bin/oapi-codegen -generate types,client -package strata -o strata/strata.gen.go ${description}`,
      'go mod init example.com/strata-client',
      'go mod tidy',
      'go vet ./...',
      'go run .',
    ],
  },
  python: {
    commands: [
      'python3 -m venv venv',
      'venv/bin/pip install --quiet openapi-python-client==0.29.1 mypy==2.4.1',
      `venv/bin/openapi-python-client generate --path ${description} --output-path strata_client --meta none`,
      'venv/bin/mypy --strict main.py',
      'venv/bin/python main.py',
    ],
  },
  typescript: {
    commands: [
      'npm init --yes',
      'npm install openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.99.0 typescript@5.9.3 @types/node@24 esbuild@0.28.2',
      `npx openapi-typescript ${description} -o schema.ts`,
      `npx openapi-ts -i ${description} -o client -c @hey-api/client-fetch`,
      `npx tsc ${compiler} openapi-fetch.ts hey-api.ts`,
      `npx esbuild openapi-fetch.ts hey-api.ts ${bundler} --outdir=built --out-extension:.js=.mjs`,
      'node built/openapi-fetch.mjs',
      'node built/hey-api.mjs',
    ],
  },
};

const testLanguage = async (name: string, folder: string, service: Service): Promise<void> => {
  const { env = () => ({}), commands } = languages[name] ?? { commands: [] };
  await mkdir(folder);
  await cp(join(projectDirectory, 'examples', 'clients', name), folder, { recursive: true });
  const environment = {
    ...process.env,
    ...env(folder),
    STRATA_URL: service.base_url,
    STRATA_API_KEY: service.api_key,
  };
  for (const command of commands) {
    const [program = '', ...args] = command.split(' ');
    console.log(`${name}: ${command}`);
    const { stdout } = await run(program, args, { cwd: folder, env: environment, maxBuffer: 2 ** 26 });
    // The last commands run the examples, whose output is shown.
    if (/^(go run|node|venv\/bin\/python) /.test(command)) console.log(stdout.trim().replaceAll(/^/gm, '  '));
  }
};

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(languages);
const unknown = names.filter((name) => !Object.hasOwn(languages, name));
if (unknown.length > 0)
  throw new Error(`No language ${unknown.join(', ')}; there are: ${Object.keys(languages).join(', ')}`);

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'strata-clients-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const starting = startService({ dataDirectory: join(folder, 'data') });
opened.defer(starting.stop);
const service = await starting.ready;
for (const name of names) await testLanguage(name, join(folder, name), service);
console.log(`Languages: ${names.length} passed, 0 failed`);
