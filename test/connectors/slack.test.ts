import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noScope } from '../../shared/connectors/no-scope.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { SourceFault, type SourceItem } from '../../shared/platform/connectors/port.ts';
import { openPublicGet } from '../../shared/platform/connectors/public-http.ts';
import { slackSource } from '../../shared/platform/connectors/slack/slack.ts';
import { FakeSlack } from './fake-slack.ts';

const now = new Date('2026-01-10T00:00:00Z');
const tsOf = (at: string, number: number): string => `${Date.parse(at) / 1000 + number}.000100`;

const opened = async (context: TestContext, pageSize: number): Promise<FakeSlack> => {
  const slack = new FakeSlack(pageSize);
  await slack.server.start();
  context.after(() => slack.server.stop());
  return slack;
};

const say = (slack: FakeSlack, channel: string, ts: string, user: string, parent: string | null = null): void => {
  const { messages } = slack.channels.get(channel) ?? { messages: new Map() };
  messages.set(ts, { ts, text: `said at ${ts}`, user, parent });
  slack.channels.set(channel, { name: channel, messages });
};

/** A sync to its end: the texts of the documents, and how often it had to wait. */
const readAll = async (slack: FakeSlack, source = slackSource(`${slack.server.url}/api/`, openPublicGet(true))) => {
  const texts = new Map<string, string>();
  let waits = 0;
  let state: JsonObject | null = null;
  let failures = 1;
  for (let steps = 0; steps < 200; steps += 1) {
    const scope = { ...noScope, slack_channels: [...slack.channels.keys()] };
    const input = { scope, credentials: { token: slack.token }, state, now, failures };
    try {
      const step = await source.step({ ...input, known: () => Promise.resolve([]) });
      for (const change of step.changes) {
        assert.ok(change.kind === 'upsert');
        texts.set(change.item.externalId, Buffer.from((await change.item.content()) ?? []).toString());
      }
      if (step.done) return { texts, waits };
      // As it is kept.
      state = JSON.parse(JSON.stringify(step.state)) as JsonObject;
      failures = 0;
    } catch (error) {
      assert.ok(error instanceof SourceFault && error.kind === 'busy');
      waits += 1;
      failures += error.retryAfterSeconds === null ? 1 : 0;
    }
  }
  throw new Error('the sync never ends');
};

test('a Slack day and a thread with more messages than the rate limit allows are read completely', async (context) => {
  const slack = await opened(context, 15);
  const top = tsOf('2026-01-04T10:00:00Z', 0);
  say(slack, 'C0AAA', top, 'U1');
  for (let at = 0; at < 40; at += 1) say(slack, 'C0AAA', tsOf('2026-01-05T10:00:00Z', at), 'U1');
  for (let at = 1; at <= 40; at += 1) say(slack, 'C0AAA', tsOf('2026-01-04T10:00:00Z', at), 'U2', top);
  say(slack, 'C0BBB', tsOf('2026-01-05T10:00:00Z', 0), 'U1');
  const whole = await readAll(slack);
  assert.deepEqual(
    [...whole.texts].map(([id, text]) => [id, text.split('\n\n').length]),
    [
      ['C0AAA:day:2026-01-05', 40],
      [`C0AAA:thread:${top}`, 41],
      ['C0BBB:day:2026-01-05', 1],
    ],
  );
  slack.isSlow = true;
  const slow = await readAll(slack);
  assert.deepEqual(slow.texts, whole.texts);
  assert.ok(slow.waits < 12, `${slow.waits} waits`);
});

/** Documents of the first step, with files. `address`: where the API is. */
const slackItems = async (slack: FakeSlack, address: string): Promise<readonly SourceItem[]> => {
  const scope = { ...noScope, slack_channels: ['C0AAA'], attachments: true };
  const input = { scope, credentials: { token: slack.token }, state: null, now, known: () => Promise.resolve([]) };
  const { changes } = await slackSource(`${address}/api/`, openPublicGet(true)).step(input);
  return changes.flatMap((change) => (change.kind === 'upsert' ? [change.item] : []));
};

test('a Slack app without the permission for files reports each, and its token is sent to Slack only', async (context) => {
  const slack = await opened(context, 15);
  const ts = tsOf('2026-01-05T10:00:00Z', 0);
  say(slack, 'C0AAA', ts, 'U1');
  const [message] = slack.channels.get('C0AAA')?.messages.values() ?? [];
  assert.ok(message);
  message.files = [{ id: 'F1', name: 'notes.txt', text: 'notes' }];
  const file = (await slackItems(slack, slack.server.url)).find(
    ({ externalId }) => externalId === `C0AAA:file:${ts}:F1`,
  );
  assert.equal(Buffer.from((await file?.content()) ?? []).toString(), 'notes');
  slack.givesFiles = false;
  await assert.rejects(file?.content() ?? Promise.resolve(), {
    kind: 'unreadable',
    message: 'Slack denies access to it (302)',
  });
  const { url } = slack.server;
  slack.server.url = 'https://files.example.com';
  const elsewhere = (await slackItems(slack, url)).find(({ title }) => title === 'notes.txt');
  await assert.rejects(elsewhere?.content() ?? Promise.resolve(), { message: 'it is not stored at Slack' });
});

test('a Slack user name is requested again after an error, and a changed one is seen in time', async (context) => {
  const slack = await opened(context, 15);
  for (const user of ['U1', 'U2', 'U3']) say(slack, 'C0AAA', tsOf('2026-01-05T10:00:00Z', Number(user.at(1))), user);
  let at = now;
  const source = slackSource(`${slack.server.url}/api/`, openPublicGet(true), { now: () => at });
  const authors = async () => {
    const { texts, waits } = await readAll(slack, source);
    const text = texts.get('C0AAA:day:2026-01-05') ?? '';
    return [text.split('\n\n').map((line) => line.replace(/ \(.*$/, '')), waits];
  };
  slack.unnamed.set('U1', 'internal_error').set('U2', 'user_not_found');
  assert.deepEqual(await authors(), [['name of U1', 'U2', 'name of U3'], 1]);
  slack.unnamed.set('U3', 'user_not_found');
  assert.deepEqual(await authors(), [['name of U1', 'U2', 'name of U3'], 0]);
  at = new Date(now.getTime() + 24 * 3_600_000);
  assert.deepEqual(await authors(), [['name of U1', 'name of U2', 'U3'], 0]);
});
