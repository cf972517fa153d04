import { readFile } from 'node:fs/promises';
import type { components } from '../../schema.ts';
import { argument, chooseAction, type Command, textOption, UsageError } from '../command.ts';

type GoldenQuestion = components['schemas']['GoldenQuestion'];
type GoldenSet = components['schemas']['GoldenSetResponse'];

const describe = ({ name, version, questions, relevant }: GoldenSet): string =>
  `${name} version ${version}, ${questions} questions, ${relevant} relevant items`;

/** Reads JSON Lines. Throws UsageError with the number of the line that is no JSON. */
const readQuestions = (file: string, text: string): readonly GoldenQuestion[] =>
  text
    .replace(/(?:\r?\n)+$/u, '')
    .split('\n')
    .map((line, at) => {
      try {
        // Cast: the service checks its fields.
        return JSON.parse(line) as GoldenQuestion;
      } catch {
        throw new UsageError(`Line ${at + 1} of ${file} is no JSON. Give one question on each line.`);
      }
    });

export const goldenSet: Command = {
  usage: 'golden-set put NAME FILE | get NAME [--set-version N] | list | delete NAME',
  summary: 'stores, prints, lists or deletes golden sets of the index of --index, as JSON Lines',
  options: { 'set-version': { type: 'string' } },
  ...chooseAction({
    put: async (call) => {
      const [name, file] = [argument(call, 1, 'NAME'), argument(call, 2, 'FILE')];
      const body = [...readQuestions(file, await readFile(file, 'utf8'))];
      const params = { path: { index_id: await call.indexId(), golden_set: name } };
      const stored = await call.client().put('/v1/indexes/{index_id}/golden-sets/{golden_set}', { params, body });
      call.print(stored, `Stored ${describe(stored)}.`);
    },
    get: async (call) => {
      const path = { index_id: await call.indexId(), golden_set: argument(call, 1, 'NAME') };
      const version = textOption(call, 'set-version');
      const query = version === undefined ? {} : { version: Number(version) };
      const questions = await call
        .client()
        .get('/v1/indexes/{index_id}/golden-sets/{golden_set}', { params: { path, query } });
      for (const question of questions) call.print(question, JSON.stringify(question));
    },
    list: async (call) => {
      const params = { path: { index_id: await call.indexId() } };
      for await (const found of call.client().pages('/v1/indexes/{index_id}/golden-sets', { params }))
        call.print(found, describe(found));
    },
    delete: async (call) => {
      const name = argument(call, 1, 'NAME');
      const params = { path: { index_id: await call.indexId(), golden_set: name } };
      await call.client().delete('/v1/indexes/{index_id}/golden-sets/{golden_set}', { params });
      call.print({ name }, `Deleted ${name}.`);
    },
  }),
};
