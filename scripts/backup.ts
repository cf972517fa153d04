import { resolve } from 'node:path';
import { readLocalHealth, readOperatorKey } from './operator/local-run.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run backup -- --to DIR [options]

Copies all data of a service on one machine while it runs, in the state of one moment.

  --to DIR       new folder of the copy
  --local URL    address of the service (default http://127.0.0.1:8787)
`;

const readOptions = (args: readonly string[]) =>
  readCommandLine({
    args: [...args],
    options: {
      to: { type: 'string' },
      local: { type: 'string', default: 'http://127.0.0.1:8787' },
      help: { type: 'boolean', default: false },
    },
  }).values;

const backUp = async (directory: string, url: string): Promise<void> => {
  const { aws } = await readLocalHealth(url);
  const { secretAccessKey } = readOperatorKey(aws.credentials_file);
  const response = await fetch(new URL('/_local/backup', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${secretAccessKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ directory }),
  });
  if (response.ok) return;
  const { message } = (await response.json()) as { readonly message: string };
  throw new Error(message);
};

await runCommand(async () => {
  const { to, local, help } = readOptions(process.argv.slice(2));
  if (help) {
    console.log(usage);
    return;
  }
  if (to === undefined) throw new Error('--to is missing: give the path of a new folder, or see --help');
  const directory = resolve(to);
  await backUp(directory, local);
  console.log(`${directory} has a copy of the data. npm run restore -- --from ${to} brings it back.`);
});
