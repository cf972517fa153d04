import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { finished, upload } from './support/files.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

type Body = ApiAnswer['body'];

const done = async (asked: Promise<ApiAnswer>, wanted = 200): Promise<Body> => {
  const { status, body } = await asked;
  assert.equal(status, wanted, JSON.stringify(body));
  return body;
};

/** Sends JSON Lines, or any other text. */
const putLines = async (key: Caller, path: string, body: string, type = 'application/x-ndjson'): Promise<ApiAnswer> => {
  const response = await fetch(`${key.baseUrl}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key.bearer}`, 'content-type': type },
    body,
  });
  return { status: response.status, body: await response.json() } as ApiAnswer;
};

const linesOf = (questions: readonly object[]): string =>
  questions.map((question) => `${JSON.stringify(question)}\n`).join('');

const topics = ['tea', 'rail', 'harbour', 'museum', 'garden', 'violin', 'glacier', 'bakery', 'comet', 'ferry'];

/** Rows of some topics; each topic has rows that its question finds by words. */
const rows = topics.flatMap((topic, at) =>
  Array.from({ length: 3 }, (_, number) => ({
    id: `${topic}-${number}`,
    text: `${topic} ${number === 0 ? `${topic} ${topic}` : ''} note number ${at * 3 + number} about ${topic}`,
    vector: Array.from({ length: 8 }, (__, place) => (place === at % 8 ? 1 : 0.01 * (number + 1))),
  })),
);

const questions = topics.map((topic) => ({
  query: topic,
  relevant: [{ id: `${topic}-0`, grade: 2 }, { id: `${topic}-1` }],
}));

const words = { name: 'words', mode: 'sparse' } as const;

const openIndex = async (more: object = {}) => {
  const { key } = await newOrganization(baseUrl);
  const index = (await done(call(key, 'POST', '/v1/indexes', { name: 'golden', dimensions: 8, ...more }), 201)).id;
  const path = `/v1/indexes/${index}`;
  const post = (to: string, body: object, status = 200) => done(call(key, 'POST', `${path}/${to}`, body), status);
  await post('vectors', rows);
  return {
    key,
    index,
    path,
    post,
    put: async (list: readonly object[], name = 'main') =>
      done(putLines(key, `${path}/golden-sets/${name}`, linesOf(list))),
    /** Runs an evaluation to its end. */
    evaluate: async (body: object): Promise<Body> => {
      const { id } = await post('evaluations', body, 202);
      const report = await eventually(
        () => done(call(key, 'GET', `${path}/evaluations/${id}`)),
        ({ status }: Body) => status === 'completed' || status === 'failed',
      );
      assert.equal(report.status, 'completed', report.error);
      return report;
    },
  };
};

test('a golden set has versions, and problems of its lines name the line', async () => {
  const { key, path, put } = await openIndex();
  const set = `${path}/golden-sets/main`;
  const first = await put(questions.slice(0, 2));
  assert.deepEqual([first.version, first.questions, first.relevant], [1, 2, 4]);
  // The same questions are no new version, as JSON too.
  assert.equal((await done(call(key, 'PUT', set, questions.slice(0, 2)))).version, 1);
  assert.equal((await put(questions)).version, 2);
  const versions = await done(call(key, 'GET', `${set}/versions`));
  assert.deepEqual(
    versions.map(({ version, questions: count }: Body) => [version, count]),
    [
      [2, 10],
      [1, 2],
    ],
  );
  const stored = await done(call(key, 'GET', `${set}?version=1`));
  assert.deepEqual(stored[1], {
    query: 'rail',
    relevant: [
      { id: 'rail-0', grade: 2 },
      { id: 'rail-1', grade: 1 },
    ],
  });
  await put(questions, 'other');
  const listed = await call(key, 'GET', `${path}/golden-sets?limit=1`);
  assert.deepEqual([listed.body[0].name, listed.body[0].version], ['main', 2]);

  const bad = `${JSON.stringify(questions[0])}\n{"query": "x", "relevant": [{}]}\n{"query": "y" "relevant": []}\n`;
  const broken = await putLines(key, set, bad);
  assert.equal(broken.status, 422);
  assert.match(broken.body.detail[0].msg, /^Line 3: JSON decode error/);
  const invalid = await putLines(key, set, bad.replace('"y" ', '"y", '));
  assert.equal(invalid.status, 422);
  assert.deepEqual(
    invalid.body.detail.map(({ loc, msg }: Body) => [loc[1], msg.slice(0, 8)]),
    [
      [1, 'Line 2: '],
      [2, 'Line 3: '],
    ],
  );
  assert.equal((await putLines(key, set, linesOf(questions), 'text/csv')).status, 415);
  assert.equal((await done(call(key, 'GET', `${set}/versions`))).length, 2);

  await done(call(key, 'DELETE', set), 204);
  assert.equal((await call(key, 'GET', set)).status, 404);
  assert.equal((await call(key, 'DELETE', set)).status, 404);
  assert.equal((await put(questions)).version, 1);
});

test('an evaluation measures several searches with intervals, and has the hits of each question in a download', async () => {
  const { key, path, put, evaluate } = await openIndex();
  await put(questions);
  const report = await evaluate({
    golden_set: 'main',
    searches: [words, { name: 'one topic', mode: 'sparse', filter: { missing: { $exists: true } } }],
    k: 2,
  });
  const [found, none] = report.results.searches;
  assert.equal(report.results.questions, 10);
  assert.deepEqual([report.searches_done, report.searches_total], [20, 20]);
  // The row with more of the word comes first, and the other one is among the next two.
  assert.equal(found.metrics.hit_at_1.mean, 1);
  assert.ok(found.metrics.recall_at_k.low <= found.metrics.recall_at_k.mean);
  assert.deepEqual([found.difference, none.metrics.mrr.mean, none.difference.mrr.mean], [null, 0, -1]);
  assert.deepEqual([none.gains, none.losses], [0, 10]);
  const lines = (await (await fetch(report.questions_url)).text())
    .trim()
    .split('\n')
    .map((line): Body => JSON.parse(line));
  assert.deepEqual(lines[0].results[0].hits[0], { id: 'tea-0', score: lines[0].results[0].hits[0].score, grade: 2 });
  assert.equal(lines.length, 10);
  const questionsOf = (query: string) => done(call(key, 'GET', `${path}/evaluations/${report.id}/questions?${query}`));
  const lost = await questionsOf('search=one%20topic&limit=4&offset=8');
  assert.deepEqual(
    lost.map(({ change, results }: Body) => [change, results[1].hits.length]),
    [
      [-1, 0],
      [-1, 0],
    ],
  );
  assert.deepEqual([await questionsOf('sort=gains'), (await questionsOf('sort=set')).length], [[], 10]);
  const listed = await done(call(key, 'GET', `${path}/evaluations`));
  assert.equal(listed[0].id, report.id);
  // A repeat finds and computes the same.
  const again = await evaluate({ golden_set: 'main', searches: [words], k: 2 });
  assert.deepEqual(again.results.searches[0].metrics, found.metrics);
});

test('texts and documents are found by content, and items that match nothing leave both sides', async () => {
  const { key, index, put, evaluate, post } = await openIndex({
    embedding_model: 'embedded-minilm-l6-v2',
    dimensions: 384,
  }).catch(() => openIndex());
  const job = await upload(
    key,
    index,
    'ports.txt',
    'text/plain',
    Buffer.from('A mooring costs twelve euros for a night.'),
  );
  assert.equal((await finished(key, index, job)).status, 'completed');
  await put([
    { query: 'mooring', relevant: [{ document: 'ports.txt' }] },
    { query: 'mooring euros', relevant: [{ document: job }] },
    { query: 'twelve euros', relevant: [{ text: 'a mooring costs twelve euros for one night' }] },
    { query: 'tea', relevant: [{ id: 'tea-0' }, { id: 'gone' }] },
    { query: 'rail', relevant: [{ id: 'lost' }, { document: 'absent.pdf' }, { text: 'words that no row has' }] },
    // A search finds other rows, but the item exists.
    { query: 'violin', relevant: [{ id: 'comet-2' }] },
  ]);
  const branch = (await post('branches', { name: 'try' }, 201)).id;
  const report = await evaluate({ golden_set: 'main', searches: [words], compare_to: branch });
  const { results } = report;
  assert.deepEqual(
    [results.questions, results.questions_left_out, results.relevant_left_out, results.unmatched],
    [5, 1, 4, { index: 4, compared: 4 }],
  );
  const [own, compared] = results.searches;
  assert.equal(own.metrics.hit_at_1.mean, 4 / 5);
  assert.equal(compared.content, 'compared');
  assert.deepEqual(compared.difference.ndcg_at_10, { mean: 0, low: 0, high: 0 });
});

/** Sends a promotion until its evaluation has ended. */
const promote = async (key: Caller, branch: string, body: object): Promise<ApiAnswer> =>
  eventually(
    () => call(key, 'POST', `/v1/indexes/${branch}/promote`, body),
    ({ body: { code } }) => code !== 'evaluation_running',
  );

const required = (max_loss: number) => ({ require: { golden_set: 'main', max_loss, search: words } });

test('a branch is promoted only if it proves itself by the golden set of its parent', async () => {
  const { key, path, put, post } = await openIndex();
  await put(questions);
  const branch = (await post('branches', { name: 'try' }, 201)).id;
  const write = (list: readonly object[]) => done(call(key, 'POST', `/v1/indexes/${branch}/vectors`, list));
  const textsOfParent = async () => (await done(call(key, 'GET', `${path}/vectors`))).map(({ text }: Body) => text);
  const before = await textsOfParent();

  await write(rows.map((row, at) => (at < 18 ? { ...row, text: 'other words' } : row)));
  const lost = await promote(key, branch, required(0.2));
  assert.deepEqual([lost.status, lost.body.code], [409, 'evaluation_failed'], JSON.stringify(lost.body));
  const { evaluation } = lost.body;
  assert.deepEqual([evaluation.questions, evaluation.metric, evaluation.max_loss], [10, 'ndcg_at_10', 0.2]);
  assert.ok(evaluation.difference.mean < -0.5 && evaluation.difference.high < 0);
  assert.equal(evaluation.results.searches[1].losses, 6);
  const report = await done(call(key, 'GET', `${path}/evaluations/${lost.body.evaluation_id}`));
  assert.equal(report.compare_to, branch);
  assert.deepEqual(await textsOfParent(), before);

  await write([...rows, { ...rows[0], id: 'new', text: 'a new note' }]);
  const small = await promote(key, branch, required(0.01));
  assert.deepEqual([small.status, small.body.code], [409, 'golden_set_too_small']);
  assert.equal(small.body.evaluation.detectable_loss.toFixed(3), '0.149');
  assert.deepEqual(await textsOfParent(), before);
  const unknown = await promote(key, branch, { require: { golden_set: 'absent', max_loss: 0.1 } });
  assert.deepEqual([unknown.status, unknown.body.detail], [404, 'Golden set not found']);

  const passed = await promote(key, branch, required(0.2));
  assert.equal(passed.status, 200, JSON.stringify(passed.body));
  assert.deepEqual([passed.body.vectors_written, passed.body.evaluation.difference.mean], [31, 0]);
  assert.equal((await textsOfParent()).length, 31);
});

test('the successor of a rebuild takes over only if it proves itself', async () => {
  const { key, path, put } = await openIndex();
  await put(
    topics.map((topic) => ({ query: `${topic}s`, relevant: [{ id: `${topic}-0` }] })),
    'plural',
  );
  await put(questions);
  const reached = async (golden_set: string): Promise<Body> => {
    const require = { max_loss: 0.2, search: words };
    const asked = { text_language: 'none', golden_set, require };
    // A rebuild that has failed is cleared away first.
    const { status, body } = await eventually(
      () => call(key, 'POST', `${path}/rebuilds`, asked),
      (answer) => answer.status !== 409,
    );
    assert.equal(status, 202, JSON.stringify(body));
    const { rebuild } = body;
    return eventually(
      () => done(call(key, 'GET', `${path}/rebuilds/${rebuild.id}`)),
      ({ status }: Body) => status === 'completed' || status === 'failed',
    );
  };
  // Without stems, a plural finds no singular.
  const failed = await reached('plural');
  assert.deepEqual([failed.status, failed.vectors], ['failed', 30]);
  assert.match(failed.error, /^It loses 1\.0000 of ndcg_at_10 over 10 questions/);
  const { results } = await done(call(key, 'GET', `${path}/evaluations/${failed.evaluation_id}`));
  assert.equal(results.searches[1].losses, 10);
  assert.equal((await done(call(key, 'GET', path))).text_language, 'english');
  const completed = await reached('main');
  assert.equal(completed.status, 'completed', completed.error);
  assert.equal((await done(call(key, 'GET', path))).text_language, 'none');
  assert.equal(
    (await call(key, 'POST', `${path}/rebuilds`, { text_language: 'english', golden_set: 'main' })).status,
    422,
  );
});
