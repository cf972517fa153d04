/** Source of a function that does what its event says; everything that a test wants to see a function do. */
export const probeSource = `
'use strict';
const { spawnSync } = require('node:child_process');
const { appendFileSync, openSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');

const journal = (entry) => {
  if (process.env.JOURNAL) appendFileSync(process.env.JOURNAL, JSON.stringify({ at: Date.now(), pid: process.pid, ...entry }) + '\\n');
};

const acts = {
  environment: () => process.env,
  context: (event, context) => ({ ...context, remainingMs: context.getRemainingTimeInMillis() }),
  setClock: ({ ms }, context) => {
    Date.now = () => ms;
    return context.getRemainingTimeInMillis();
  },
  fail: ({ name, message }) => { throw Object.assign(new Error(message), { name }); },
  exit: ({ code }) => process.exit(code),
  spin: () => { for (;;); },
  block: ({ seconds }) => { spawnSync('/bin/sleep', [String(seconds)]); },
  sleep: async ({ ms, note }) => {
    journal({ kind: 'begin', note });
    await delay(ms);
    journal({ kind: 'end', note });
    return process.pid;
  },
  pid: () => process.pid,
  crash: () => { setImmediate(() => { throw new Error('a crash outside of any run'); }); return delay(10_000); },
  fill: () => { const kept = []; for (;;) kept.push(new Array(1_000).fill(kept.length)); },
  native: () => {
    try { process.dlopen({ exports: {} }, '/nowhere.node'); } catch { return process.pid; }
  },
  hold: ({ files }) => {
    for (let held = 0; held < files; held += 1) openSync('/dev/null', 'r');
    return process.pid;
  },
  scratch: () => {
    const path = join(tmpdir(), 'left behind');
    writeFileSync(path, '');
    return path;
  },
  large: ({ bytes }) => 'x'.repeat(bytes),
  print: ({ out, err }) => { console.log(out); console.error(err); return null; },
  put: async ({ table, item }) => {
    const { DynamoDBClient, PutItemCommand } = require('@aws-sdk/client-dynamodb');
    await new DynamoDBClient({}).send(new PutItemCommand({ TableName: table, Item: item }));
    return null;
  },
};

const drain = async ({ Records }) => {
  const failed = [];
  journal({ kind: 'batch', size: Records.length, groups: Records.map((record) => record.attributes.MessageGroupId) });
  for (const record of Records) {
    const body = JSON.parse(record.body);
    const { ms = 0, fail = false, crash = false, crashes = Infinity } = body;
    const attempt = Number(record.attributes.ApproximateReceiveCount);
    journal({ kind: 'begin', body, attempt, source: record.eventSourceARN, group: record.attributes.MessageGroupId });
    await delay(ms);
    if (crash && attempt <= crashes) process.exit(3);
    journal({ kind: 'end', body, group: record.attributes.MessageGroupId });
    if (fail) failed.push({ itemIdentifier: record.messageId });
  }
  return { batchItemFailures: failed };
};

const answer = async (event) => {
  const instruction = event.headers['x-answer'];
  if (event.headers['x-exit']) process.exit(Number(event.headers['x-exit']));
  if (event.headers['x-sleep']) await delay(Number(event.headers['x-sleep']));
  return instruction ? JSON.parse(instruction) : { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
};

exports.handler = async (event, context) => {
  if (event.Records) return await drain(event);
  if (event.version === '2.0') return await answer(event);
  if (event.act) return await acts[event.act](event, context);
  journal({ kind: 'event', event });
  return null;
};
`;
