import { argument, type Call, chooseAction, type Command } from '../command.ts';

const actions: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  list: async (call) => {
    for await (const alias of call.client().pages('/v1/aliases')) call.print(alias, `${alias.name}  ${alias.index_id}`);
  },
  set: async (call) => {
    const params = { path: { name: argument(call, 1, 'NAME') } };
    const alias = await call.client().put('/v1/aliases/{name}', { params, body: { index_id: await call.indexId() } });
    call.print(alias, `${alias.name}  ${alias.index_id}`);
  },
  delete: async (call) => {
    const name = argument(call, 1, 'NAME');
    await call.client().delete('/v1/aliases/{name}', { params: { path: { name } } });
    call.print({ name }, `Deleted ${name}.`);
  },
};

export const alias: Command = {
  usage: 'alias list | set NAME | delete NAME',
  summary: 'lists aliases, sets one to the index of --index, or deletes one',
  options: {},
  ...chooseAction(actions),
};
