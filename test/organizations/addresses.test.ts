import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createInvitation } from '../../functions/invitations/create.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { invitationsRead } from '../../shared/organizations/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call, person } from '../support/call.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;

/** Invites an address to a new organization. */
const invite = (email: string) =>
  call(runtime, createInvitation, person(newId('org', runtime.clock.now()), 'owner'), { body: { email } });

/** Invited addresses, and the verified addresses of their users. */
const written = {
  'a&b@example.com': 'a&b@example.com',
  "O'Hara'@Example.com": "o'hara'@example.com",
  'user%x/y=z@example.com': 'user%x/y=z@example.com',
  'Ju\u0308rgen@M\u00dcNCHEN.de': 'j\u00fcrgen@m\u00fcnchen.de',
  'a@example.xn--p1ai': 'a@example.xn--p1ai',
  '用户@例子.公司': '用户@例子.公司',
};
for (const [email, verified] of Object.entries(written)) {
  test(`an invitation of ${email} is pending for the verified address ${verified}`, async () => {
    assert.equal((await invite(email)).status, 201);
    const [found, ...others] = await makeDeps({ invitations: invitationsRead }, runtime).invitations.openFor(verified);
    assert.deepEqual([found?.email, others], [verified, []]);
  });
}

const nobody = ['', 'ada', 'ada@', '@example.com', 'a da@example.com', 'a@b@example.com', 'ada@example..com'];
nobody.push('ada@.com', 'ada\u0007@example.com', '\u212aate@example.com');
for (const email of nobody) {
  test(`${JSON.stringify(email)} is not a valid e-mail address`, async () => {
    const problem = {
      loc: ['body', 'email'],
      msg: 'Value is not a valid email address',
      type: 'value_error',
    };
    assert.deepEqual(await invite(email), { status: 422, body: { detail: [problem] } });
  });
}
