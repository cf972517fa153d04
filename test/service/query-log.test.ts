import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

type Body = ApiAnswer['body'];

const done = async (asked: Promise<ApiAnswer>, wanted = 200): Promise<Body> => {
  const { status, body } = await asked;
  assert.equal(status, wanted, JSON.stringify(body));
  return body;
};

const rows = [
  { id: 'tea', text: 'green tea is brewed at eighty degrees', vector: [1, 0], metadata: { topic: 'secret-topic' } },
  { id: 'rail', text: 'the night train leaves at nine', vector: [0, 1] },
];

const openIndex = async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await done(call(key, 'POST', '/v1/indexes', { name: 'logged', dimensions: 2 }), 201)).id;
  const path = `/v1/indexes/${index}`;
  await done(call(key, 'POST', `${path}/vectors`, rows));
  return {
    key,
    path,
    log: (settings: object | null) => done(call(key, 'PATCH', path, { query_log: settings })),
    search: (text: string, more: object = {}): Promise<Body> =>
      done(call(key, 'POST', `${path}/search/sparse`, { text, ...more })),
    questions: (query = ''): Promise<Body> => done(call(key, 'GET', `${path}/query-log/questions${query}`)),
    rate: (search: Body, id: string, event: string, by: Caller = key) =>
      call(by, 'POST', `/v1/searches/${search.search_id}/feedback`, { id, event }),
  };
};

test('nothing is logged before it is asked for, and nothing after it is ended', async () => {
  const { log, search, questions, rate } = await openIndex();
  assert.equal((await search('tea')).search_id, undefined);
  const settings = { sample: 1, keep_days: 7 };
  assert.deepEqual((await log(settings)).query_log, settings);
  const found = await search('tea');
  assert.match(found.search_id, /^srch_[0-9a-z]{52}$/);
  const [logged] = await eventually(questions, ({ length }: Body) => length === 1);
  assert.deepEqual([logged.query, logged.searches, logged.hits], ['tea', 1, ['tea']]);
  assert.equal((await log(null)).query_log, undefined);
  assert.equal((await search('train')).search_id, undefined);
  assert.deepEqual(await questions(), []);
  assert.equal((await rate(found, 'tea', 'good')).status, 404);
});

test('questions are counted, those without an answer are found, and feedback makes a golden set', async () => {
  const { key, path, log, search, questions, rate } = await openIndex();
  await log({ sample: 1, keep_days: 7 });
  const first = await search('Tea', { filter: { topic: 'secret-topic' } });
  const again = await search(' tea ');
  await search('ferry');
  const train = await search('night train');
  const counted = await eventually(
    () => questions(),
    (list: Body) => list.reduce((sum: number, { searches }: Body) => sum + searches, 0) === 4,
  );
  assert.deepEqual(
    counted.map(({ query, searches }: Body) => [query, searches]),
    [
      [' tea ', 2],
      ['night train', 1],
      ['ferry', 1],
    ],
  );
  assert.equal((await call(key, 'POST', `${path}/golden-sets/asked/from-log`, {})).status, 409);
  for (const [found, id, event] of [
    [first, 'tea', 'good'],
    [again, 'tea', 'click'],
    [again, 'tea', 'click'],
    [again, 'rail', 'bad'],
    [train, 'rail', 'bad'],
  ] as const)
    assert.equal((await rate(found, id, event)).status, 204);
  const stranger = (await newOrganization(baseUrl)).key;
  assert.equal((await rate(first, 'tea', 'good', stranger)).status, 404);
  const [tea] = await questions();
  assert.deepEqual([tea.clicks, tea.good, tea.bad], [1, 1, 1]);
  const unanswered = await questions('?kind=unanswered');
  assert.deepEqual(
    unanswered.map(({ query, empty }: Body) => [query, empty]),
    [
      ['night train', 0],
      ['ferry', 1],
    ],
  );
  const set = await done(call(key, 'POST', `${path}/golden-sets/asked/from-log`, {}));
  assert.deepEqual([set.version, set.questions, set.relevant], [1, 1, 2]);
  const questionsOfSet = await done(call(key, 'GET', `${path}/golden-sets/asked`));
  assert.deepEqual(questionsOfSet, [
    {
      query: ' tea ',
      relevant: [
        { id: 'tea', grade: 2 },
        { id: 'rail', grade: 0 },
      ],
    },
  ]);
  await done(call(key, 'DELETE', `${path}/query-log`), 204);
  assert.deepEqual(await questions(), []);
});
