import { constants, existsSync, readdirSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backupFile, lockData, makeDirectory } from '#local-cloud';
import { projectDirectory } from './support/project-directory.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run restore -- --from DIR [options]

Brings back the data of npm run backup. The service must not run on the folder that it is brought to.

  --from DIR    folder of the copy
  --data DIR    folder of the data, which must be empty or not exist (default .data)
`;

const readOptions = (args: readonly string[]) =>
  readCommandLine({
    args: [...args],
    options: {
      from: { type: 'string' },
      data: { type: 'string', default: join(projectDirectory, '.data') },
      help: { type: 'boolean', default: false },
    },
  }).values;

/** @throws Error in one line if the folder contains data, or a service uses it. */
const checkTarget = (data: string): void => {
  if (!existsSync(data)) return;
  lockData(data).release();
  if (readdirSync(data).some((name) => !name.startsWith('lock.sqlite')))
    throw new Error(`${data} contains data: move it away, or choose another folder with --data`);
};

/** Copies the data beside the target first, so that an interrupted copy is not taken for data. */
const restore = async (from: string, data: string): Promise<void> => {
  if (!existsSync(join(from, backupFile)))
    throw new Error(`${from} is no complete copy of npm run backup: it has no ${backupFile}`);
  checkTarget(data);
  makeDirectory(dirname(data));
  const unfinished = `${data}.restoring`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await rm(join(unfinished, backupFile));
  // Only files of the lock are in it.
  await rm(data, { recursive: true, force: true });
  await rename(unfinished, data);
};

await runCommand(async () => {
  const { from, data, help } = readOptions(process.argv.slice(2));
  if (help) {
    console.log(usage);
    return;
  }
  if (from === undefined) throw new Error('--from is missing: give the folder of a copy, or see --help');
  const directory = resolve(data);
  await restore(resolve(from), directory);
  console.log(`${directory} has the data of ${from}. npm start -- --data ${data} serves it.`);
});
