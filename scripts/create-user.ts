import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { openAwsAccess } from './operator/aws-access.ts';
import { placeOptions, placeUsage, readPlace } from './operator/place.ts';
import { createUser, findUserPool } from './operator/user-pool.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run create-user -- --email EMAIL [options]

Creates a user of the deployment's user pool, who can sign in at once. The password is read from STRATA_PASSWORD, or asked
for in a terminal.

  --email EMAIL        address of the user, which counts as verified
${placeUsage}
`;

/** Asks without showing what is typed. */
const askPassword = async (email: string): Promise<string> => {
  process.stderr.write(`Password of ${email}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  using terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const password = await terminal.question('');
  process.stderr.write('\n');
  return password;
};

const readPassword = async (email: string): Promise<string> => {
  const { STRATA_PASSWORD: given = '' } = process.env;
  if (given !== '') return given;
  if (process.stdin.isTTY) return askPassword(email);
  throw new Error(`STRATA_PASSWORD is missing. It has to contain the password of ${email}.`);
};

const main = async (): Promise<void> => {
  const { values } = readCommandLine({
    options: { email: { type: 'string' }, help: { type: 'boolean', default: false }, ...placeOptions },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { email } = values;
  if (email === undefined) throw new Error('--email is missing. See npm run create-user -- --help');
  const place = await readPlace(values);
  const access = openAwsAccess();
  const pool = await findUserPool(access, place);
  const isSet = await createUser(access, pool, email, await readPassword(email));
  console.log(
    isSet
      ? `${email} can sign in at ${pool.id}`
      : `${email} has a password of their own in ${pool.id}, which was not changed`,
  );
};

await runCommand(main);
