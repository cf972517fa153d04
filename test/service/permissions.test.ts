import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startOwnService } from '../support/whole-service.ts';
import { call, newOrganization } from './support/organization.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly FunctionName?: string;
    readonly Role?: { readonly 'Fn::GetAtt': readonly [string, string] };
    readonly Policies?: readonly { readonly PolicyDocument: { Statement: Statement[] } }[];
  };
}

type Json = Record<string, unknown>;

/** The parts of a template and of a list of assets that are changed. */
interface AssemblyFile {
  readonly Resources: Record<string, Resource>;
  readonly files: Record<string, { readonly source: { path: string } }>;
}

const change = (file: string, edit: (value: AssemblyFile) => void): void => {
  const value = JSON.parse(readFileSync(file, 'utf8')) as AssemblyFile;
  edit(value);
  writeFileSync(file, JSON.stringify(value));
};

/** Takes the right to an action on one table from the role of a function. */
const revoke = (resources: Readonly<Record<string, Resource>>, functionName: string, action: string, table: string) => {
  const lambda = Object.values(resources).find(({ Properties }) => Properties.FunctionName === functionName);
  const role = resources[lambda?.Properties.Role?.['Fn::GetAtt'][0] ?? ''];
  let revoked = 0;
  for (const { PolicyDocument } of role?.Properties.Policies ?? [])
    PolicyDocument.Statement = PolicyDocument.Statement.flatMap((statement) => {
      const named = [statement.Resource].flat();
      const kept = named.filter((resource) => !JSON.stringify(resource).includes(`:table/${table}"`));
      if (![statement.Action].flat().includes(action) || kept.length === named.length) return [statement];
      revoked += 1;
      return kept.length === 0 ? [] : [{ ...statement, Resource: kept }];
    });
  assert.equal(revoked, 1);
};

/** A copy of an assembly in which a function lacks a grant that it needs. */
const withoutGrant = (assembly: string, copy: string): string => {
  cpSync(assembly, copy, { recursive: true, filter: (path) => !path.endsWith('.zip') });
  for (const file of globSync('*.assets.json', { cwd: copy }))
    change(join(copy, file), ({ files }) => {
      for (const { source } of Object.values(files)) source.path = resolve(assembly, source.path);
    });
  change(join(copy, 'Api-indexes.template.json'), ({ Resources }) =>
    revoke(Resources, 'strata-create-index', 'dynamodb:PutItem', 'strata-indexes'),
  );
  return copy;
};

test('a grant that is missing from a role fails its request, and is reported with function, action and resource', async () => {
  const messages: string[] = [];
  const copy = join(temporaryDirectory(), 'assembly');
  const { baseUrl } = await startOwnService(['us-east-1'], {
    changeAssembly: (assembly) => withoutGrant(assembly, copy),
    onDenied: ({ message }) => messages.push(message),
  });
  const { key } = await newOrganization(baseUrl);
  const made = await call(key, 'POST', '/v1/indexes', { name: 'denied', dimensions: 4 });
  assert.deepEqual([made.status, made.body.code], [500, 'internal']);
  assert.match(
    messages[0] ?? '',
    /^User: arn:aws:sts::000000000000:assumed-role\/.+\/strata-create-index is not authorized to perform: dynamodb:\w+ on resource: arn:aws:dynamodb:us-east-1:000000000000:table\/strata-indexes because no identity-based policy allows/,
  );
  const report = (await call({ baseUrl, bearer: null }, 'GET', '/_local/requests')).body as unknown as {
    readonly denials: readonly Json[];
  };
  assert.ok(report.denials.some(({ principal }) => String(principal).endsWith('/strata-create-index')));
  assert.equal((await call(key, 'GET', '/v1/indexes')).status, 200);
});
