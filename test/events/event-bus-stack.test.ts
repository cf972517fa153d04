import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../lib/app.ts';
import { appOptions, at, listAt, textAt } from '../lib/assembly.ts';

/** Permissions on event buses in all stacks, with the functions that have them. */
const permissions = async (options: { readonly eventBus?: string }) => {
  const { stacks } = (await createApp({ ...appOptions(false), ...options })).synth();
  return stacks.flatMap(({ template }) => {
    const resources = Object.entries(at(template, 'Resources') as object) as [string, unknown][];
    const holdersOf = (role: string) =>
      resources
        .filter(([, resource]) => JSON.stringify(at(resource, 'Properties', 'Role') ?? '').includes(`"${role}"`))
        .map(([, resource]) => textAt(resource, 'Properties', 'FunctionName'));
    return resources
      .filter(([, resource]) => textAt(resource, 'Type') === 'AWS::IAM::Role')
      .flatMap(([role, resource]) =>
        listAt(resource, 'Properties', 'Policies')
          .flatMap((policy) => listAt(policy, 'PolicyDocument', 'Statement'))
          .filter((statement) => JSON.stringify(at(statement, 'Action')).includes('events:'))
          .map((statement) => ({
            actions: listAt(statement, 'Action'),
            resource: JSON.stringify(at(statement, 'Resource')),
            functions: holdersOf(role),
          })),
      );
  });
};

test('only the relay may put events, on the configured event bus only, and not without a bus', async () => {
  assert.deepEqual(await permissions({}), []);
  const [permission, ...others] = await permissions({ eventBus: 'audit' });
  assert.ok(permission !== undefined && others.length === 0);
  assert.deepEqual([permission.actions, permission.functions], [['events:PutEvents'], ['acme-relay']]);
  assert.match(permission.resource, /:events:us-east-1:.*:event-bus\/audit"/);
  await assert.rejects(permissions({ eventBus: 'a b' }), /eventBus "a b"/);
});
