import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { evaluate, type Decision } from '../src/iam/evaluate.ts';
import type { RequestContext } from '../src/iam/policy-condition.ts';
import { type PolicyKind, readPolicy } from '../src/iam/policy-document.ts';

const accountId = '123456789012';
const role = `arn:aws:iam::${accountId}:role/reader`;
const session = { name: `arn:aws:sts::${accountId}:assumed-role/reader/function`, arn: role, accountId };
const s3 = { name: 's3.amazonaws.com', arn: null, accountId };

const read = (kind: PolicyKind, ...statements: readonly object[]) =>
  readPolicy({ Version: '2012-10-17', Statement: statements }, kind);

const allow = (Action: unknown, Resource: unknown, more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});
const deny = (Action: unknown, Resource: unknown, more: object = {}) => ({ Effect: 'Deny', Action, Resource, ...more });

/** The decision on a request of the role by policies of its own. */
const decide = (
  statements: readonly object[],
  action: string,
  resource: string,
  context: RequestContext = {},
): Decision => evaluate(read('identity', ...statements), { principal: session, action, resource, context });

const bucket = 'arn:aws:s3:::examples';
const table = `arn:aws:dynamodb:eu-west-1:${accountId}:table/things`;

// Facts of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html and its neighbours.
describe('a policy', () => {
  test('allows nothing that no statement allows', () => {
    assert.equal(decide([], 's3:GetObject', `${bucket}/a`), 'implicit deny');
    assert.equal(decide([allow('s3:GetObject', `${bucket}/a`)], 's3:PutObject', `${bucket}/a`), 'implicit deny');
    assert.equal(decide([allow('s3:GetObject', `${bucket}/a`)], 's3:GetObject', `${bucket}/b`), 'implicit deny');
    assert.equal(decide([allow('s3:GetObject', `${bucket}/a`)], 's3:GetObject', `${bucket}/a`), 'allow');
  });

  test('denies what one statement denies, whatever others allow and in whichever order they stand', () => {
    const both = [allow('s3:*', '*'), deny('s3:DeleteObject', `${bucket}/kept/*`)];
    for (const statements of [both, both.toReversed()]) {
      assert.equal(decide(statements, 's3:DeleteObject', `${bucket}/kept/a`), 'explicit deny');
      assert.equal(decide(statements, 's3:DeleteObject', `${bucket}/other/a`), 'allow');
    }
  });

  test('names actions without regard to case, with wildcards, or all but some', () => {
    const actions: readonly (readonly [pattern: object, action: string, expected: boolean])[] = [
      [{ Action: 'DynamoDB:getitem' }, 'dynamodb:GetItem', true],
      [{ Action: 'dynamodb:*Item' }, 'dynamodb:BatchGetItem', true],
      [{ Action: 'dynamodb:*Item' }, 'dynamodb:Query', false],
      [{ Action: 'dynamodb:?etItem' }, 'dynamodb:GetItem', true],
      [{ Action: 'dynamodb:?etItem' }, 'dynamodb:etItem', false],
      [{ Action: ['dynamodb:Query', 'dynamodb:Scan'] }, 'dynamodb:Scan', true],
      [{ Action: '*' }, 'dynamodb:Scan', true],
      [{ NotAction: ['dynamodb:Scan', 's3:*'] }, 'dynamodb:Query', true],
      [{ NotAction: ['dynamodb:Scan', 's3:*'] }, 'dynamodb:Scan', false],
      [{ NotAction: ['dynamodb:Scan', 's3:*'] }, 's3:GetObject', false],
    ];
    for (const [pattern, action, expected] of actions) {
      const statement = { Effect: 'Allow', Resource: '*', ...pattern };
      assert.equal(decide([statement], action, table), expected ? 'allow' : 'implicit deny', JSON.stringify(pattern));
    }
  });

  test('names resources with regard to case, with wildcards that end at a colon unless they end a segment, or all but some', () => {
    const resources: readonly (readonly [pattern: object, resource: string, expected: boolean])[] = [
      [{ Resource: `${bucket}/*` }, `${bucket}/a/b:c`, true],
      [{ Resource: `${bucket}/*` }, bucket, false],
      [{ Resource: `${bucket}/*/source` }, `${bucket}/a/b/source`, true],
      [{ Resource: `${bucket}/a` }, `${bucket}/A`, false],
      [{ Resource: 'arn:aws:s3:::exampl?s/a' }, `${bucket}/a`, true],
      [{ Resource: 'arn:aws:s3:::e.amples/a' }, `${bucket}/a`, false],
      [{ Resource: `arn:aws:dynamodb:*:${accountId}:table/things` }, table, true],
      [{ Resource: `arn:aws:dynamodb:eu-*-1:${accountId}:table/things` }, table, true],
      [{ Resource: 'arn:aws:dynamodb:eu-*t-1:table/things' }, table, false],
      [{ Resource: table }, `${table}/index/due`, false],
      [{ Resource: `${table}/index/*` }, `${table}/index/due`, true],
      [{ Resource: '*' }, table, true],
      [{ NotResource: [table] }, table, false],
      [{ NotResource: [table] }, `${table}/index/due`, true],
    ];
    for (const [pattern, resource, expected] of resources) {
      const statement = { Effect: 'Allow', Action: '*', ...pattern };
      assert.equal(
        decide([statement], 'any:Action', resource),
        expected ? 'allow' : 'implicit deny',
        JSON.stringify(pattern),
      );
    }
  });

  test('holds under conditions: all keys, any value, and for a missing key nothing but a negation or IfExists', () => {
    const prefix = (value: string) => ({ 's3:prefix': value });
    const conditions: readonly (readonly [condition: object, context: RequestContext, expected: boolean])[] = [
      [{ Bool: { 'aws:SecureTransport': 'false' } }, { 'aws:SecureTransport': 'false' }, true],
      [{ Bool: { 'aws:SecureTransport': true } }, { 'aws:SecureTransport': 'true' }, true],
      [{ Bool: { 'aws:SecureTransport': 'false' } }, { 'aws:SecureTransport': 'true' }, false],
      [{ StringEquals: { 'S3:Prefix': ['a/', 'b/'] } }, prefix('b/'), true],
      [{ StringEquals: { 's3:prefix': 'a/' } }, prefix('A/'), false],
      [{ StringEqualsIgnoreCase: { 's3:prefix': 'a/' } }, prefix('A/'), true],
      [{ StringEquals: { 's3:prefix': 'a/*' } }, prefix('a/b'), false],
      [{ StringLike: { 's3:prefix': ['a/*', 'b/?'] } }, prefix('a/b/c'), true],
      [{ StringLike: { 's3:prefix': 'a/*' } }, {}, false],
      [{ StringLikeIfExists: { 's3:prefix': 'a/*' } }, {}, true],
      [{ StringLikeIfExists: { 's3:prefix': 'a/*' } }, prefix('b/'), false],
      [{ StringNotLike: { 's3:prefix': ['a/*', 'b/*'] } }, prefix('b/c'), false],
      [{ StringNotLike: { 's3:prefix': 'a/*' } }, {}, true],
      [{ 'ForAllValues:StringLike': { 's3:prefix': 'a/*' } }, prefix('a/b'), true],
      [{ 'ForAllValues:StringLike': { 's3:prefix': 'a/*' } }, prefix('b/a/'), false],
      [{ 'ForAllValues:StringLike': { 's3:prefix': 'a/*' } }, {}, true],
      [{ Null: { 's3:prefix': 'true' } }, {}, true],
      [{ Null: { 's3:prefix': 'true' } }, prefix(''), false],
      [{ ArnEquals: { 'aws:SourceArn': 'arn:aws:s3:::exam*' } }, { 'aws:SourceArn': bucket }, true],
      [{ ArnLike: { 'aws:SourceArn': 'arn:aws:s3:*:examples' } }, { 'aws:SourceArn': bucket }, true],
      [{ ArnNotLike: { 'aws:SourceArn': 'arn:aws:sqs:*' } }, { 'aws:SourceArn': bucket }, true],
      [{ StringEquals: { 's3:prefix': 'a/' }, Bool: { 'aws:SecureTransport': 'true' } }, prefix('a/'), false],
    ];
    for (const [Condition, context, expected] of conditions) {
      const decision = decide([allow('s3:ListBucket', bucket, { Condition })], 's3:ListBucket', bucket, context);
      assert.equal(decision, expected ? 'allow' : 'implicit deny', JSON.stringify([Condition, context]));
    }
  });

  test('of a resource names principals: all callers, an account, a role, a session of it, or a service', () => {
    const principals: readonly (readonly [named: unknown, ofSession: boolean, ofService: boolean])[] = [
      ['*', true, true],
      [{ AWS: '*' }, true, false],
      [{ AWS: accountId }, true, false],
      [{ AWS: `arn:aws:iam::${accountId}:root` }, true, false],
      [{ AWS: [role] }, true, false],
      [{ AWS: session.name }, true, false],
      [{ AWS: `${role}-two` }, false, false],
      [{ Service: 's3.amazonaws.com' }, false, true],
      [{ Service: ['events.amazonaws.com'] }, false, false],
    ];
    for (const [Principal, ...expected] of principals) {
      const statements = read('resource', allow('sqs:SendMessage', '*', { Principal }));
      const decided = [session, s3].map((principal) =>
        evaluate(statements, { principal, action: 'sqs:SendMessage', resource: table, context: {} }),
      );
      assert.deepEqual(
        decided,
        expected.map((is) => (is ? 'allow' : 'implicit deny')),
        JSON.stringify(Principal),
      );
    }
  });

  test('that cannot be evaluated is refused by the name of what is not understood', () => {
    const refusals: readonly (readonly [kind: PolicyKind, statement: object, message: RegExp])[] = [
      ['identity', allow('*', '*', { Condition: { IpAddress: { 's3:prefix': 'x' } } }), /operator IpAddress/],
      ['identity', allow('*', '*', { Condition: { StringEquals: { 'aws:username': 'x' } } }), /key aws:username/],
      [
        'identity',
        allow('*', '*', { Condition: { 'ForAnyValue:StringLike': { 's3:prefix': 'x' } } }),
        /operator ForAny/,
      ],
      ['identity', allow('*', 'arn:aws:s3:::b/${aws:username}/*'), /policy variable in arn:aws:s3/],
      ['identity', allow('*', 'things'), /resource things is no ARN/],
      ['identity', { Effect: 'Allow', Action: '*' }, /needs either Resource or NotResource/],
      ['identity', { Effect: 'Allow', Resource: '*' }, /needs either Action or NotAction/],
      ['identity', allow('*', '*', { Principal: '*' }), /identity policy has no Principal/],
      ['identity', { Effect: 'allow', Action: '*', Resource: '*' }, /Effect/],
      ['resource', allow('*', '*'), /Principal is missing/],
      ['resource', allow('*', '*', { NotPrincipal: { AWS: '*' } }), /NotPrincipal/],
      ['resource', allow('*', '*', { Principal: { Federated: 'x' } }), /Federated/],
    ];
    for (const [kind, statement, message] of refusals) assert.throws(() => read(kind, statement), message);
    assert.throws(() => readPolicy({ Version: '2008-10-17', Statement: [] }, 'identity'), /Version/);
  });
});
