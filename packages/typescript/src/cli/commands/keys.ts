import type { Permission } from '../../schema.ts';
import {
  argument,
  type Call,
  chooseAction,
  type Command,
  jsonOption,
  textOption,
  textOptions,
  UsageError,
} from '../command.ts';

const create = async (call: Call): Promise<void> => {
  const permissions = textOption(call, 'permissions')?.split(',');
  const expires = textOption(call, 'expires');
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    throw new UsageError(`--expires is "${expires}". Give a time such as 2027-01-31T00:00:00Z.`);
  const filter = jsonOption(call, 'filter', '{"tenant": "acme"}');
  const prefix = textOption(call, 'id-prefix');
  const given = textOptions(call, 'only');
  const indexIds = await Promise.all(given.map((index) => call.indexIdOf(index)));
  const key = await call.client().post('/v1/api-keys', {
    body: {
      name: argument(call, 1, 'NAME'),
      // Cast: the service names the permissions that it knows.
      ...(permissions !== undefined && { permissions: permissions as Permission[] }),
      ...(indexIds.length > 0 && { index_ids: indexIds }),
      ...(filter !== undefined && { filter }),
      ...(prefix !== undefined && { id_prefix: prefix }),
      ...(expires !== undefined && { expires_at: new Date(expires).toISOString() }),
    },
  });
  call.print(key, key.token);
  call.note(`${key.id}: the key is shown only now.`);
};

export const keys: Command = {
  usage:
    'keys list | create NAME [--permissions read,write] [--only INDEX] [--filter JSON --id-prefix PREFIX] [--expires TIME] | revoke KEY_ID',
  summary: 'lists, creates or revokes API keys; --only restricts a key to an index, --filter binds it to rows',
  options: {
    permissions: { type: 'string' },
    only: { type: 'string', multiple: true },
    filter: { type: 'string' },
    'id-prefix': { type: 'string' },
    expires: { type: 'string' },
  },
  ...chooseAction({
    list: async (call) => {
      for await (const key of call.client().pages('/v1/api-keys')) {
        const state = key.revoked_at === null ? `used ${key.last_used_at ?? 'never'}` : `revoked ${key.revoked_at}`;
        call.print(key, `${key.id}  ${key.prefix}…  ${key.permissions.join(',').padEnd(10)}  ${key.name}  ${state}`);
      }
    },
    create,
    revoke: async (call) => {
      const id = argument(call, 1, 'KEY_ID');
      await call.client().delete('/v1/api-keys/{key_id}', { params: { path: { key_id: id } } });
      call.print({ id }, `Revoked ${id}.`);
    },
  }),
};
