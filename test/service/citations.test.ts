import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measurePicture } from '../../packages/documents/test/extract/measure-picture.ts';
import { drawText, toPng } from '../../packages/documents/test/ocr/pictures.ts';
import { eventually } from '../support/eventually.ts';
import { buildPdf, makePdf } from '../support/make-pdf.ts';
import { startService } from '../support/shared-service.ts';
import { finished, upload } from './support/files.ts';
import { type Caller, call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

interface Region {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Citation {
  readonly file: {
    readonly job_id: string;
    readonly filename: string;
    readonly attachment?: string;
    readonly url?: string;
  };
  readonly pages: readonly number[];
  readonly regions: readonly Region[];
  readonly heading_path: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly time_start?: number;
  readonly time_end?: number;
}

interface Hit {
  readonly id: string;
  readonly text: string;
  readonly citation: Citation;
}

const openIndex = async (key: Caller, settings: object = {}) => {
  const created = await call(key, 'POST', '/v1/indexes', { name: 'manuals', dimensions: 384, ...settings });
  const index: string = created.body.id;
  return {
    index,
    add: async (name: string, type: string, bytes: string | Uint8Array): Promise<string> => {
      const id = await upload(key, index, name, type, Buffer.from(bytes));
      const job = await finished(key, index, id);
      assert.equal(job.status, 'completed', job.error ?? '');
      return id;
    },
    find: async (mode: string, body: object): Promise<readonly Hit[]> => {
      const found = await call(key, 'POST', `/v1/indexes/${index}/search/${mode}`, {
        include: ['text', 'citation'],
        ...body,
      });
      assert.equal(found.status, 200, JSON.stringify(found.body));
      return found.body.results;
    },
    textOf: async (job: string, format: string) =>
      call(key, 'GET', `/v1/indexes/${index}/files/${job}/text?format=${format}`),
  };
};

/** A manual of three tasks, with a word of its own on each page. */
const manual = (pages: number): Promise<Buffer> =>
  buildPdf(
    (document) => {
      document.fontSize(10);
      for (let page = 1; page <= pages; page += 1) {
        document.addPage();
        for (let line = 0; line < 12; line += 1)
          document.text(`Line ${line} of the rules about pilots, word${page} and ropes.`, 72, 72 + line * 14, {
            lineBreak: false,
          });
      }
    },
    { autoFirstPage: false },
  );

test('a hit of a PDF is cited by its pages, boxes and position in the text of the file, in every kind of search', async () => {
  const { key } = await newOrganization(baseUrl);
  const { add, find, textOf, index } = await openIndex(key);
  const job = await add('manual.pdf', 'application/pdf', await manual(103));
  const { body: plain } = await textOf(job, 'text');
  const points = Array.from(plain.text as string);
  const pages = (plain.text as string).split('\f');
  assert.equal(pages.length, 103);
  for (const page of [1, 50, 51, 102, 103])
    for (const mode of ['sparse', 'hybrid']) {
      assert.ok(pages[page - 1]?.includes(`word${page} `), String(page));
      const [hit] = await find(mode, { text: `word${page}` });
      const { citation, text } = hit ?? assert.fail();
      assert.deepEqual(citation.file, { job_id: job, filename: 'manual.pdf' });
      assert.ok(citation.pages.includes(page));
      const cited = points.slice(citation.start, citation.end).join('');
      assert.equal(cited.replaceAll('\f', ''), text);
      const region = citation.regions.find((one) => one.page === page);
      assert.ok(
        region !== undefined && Math.abs(region.left - 72 / 612) < 0.01 && region.top > 0.08 && region.top < 0.12,
      );
      assert.ok(region.height < 0.25 && region.width > 0.3 && region.width < 0.6);
    }
  const [dense] = await find('dense', { text: 'pilots and ropes', rerank: { on_error: 'skip' } });
  assert.equal(dense?.citation.file.job_id, job);
  const batch = await call(key, 'POST', `/v1/indexes/${index}/search/batch`, {
    searches: [{ mode: 'hybrid', queries: [{ text: 'word7' }, { text: 'word8' }], include: ['citation'] }],
  });
  assert.equal(batch.body.responses[0].response.results[0].citation.file.job_id, job);
  const size = (hits: readonly Hit[]): number => Buffer.byteLength(JSON.stringify(hits));
  const include = ['text', 'metadata', 'scores', 'citation'];
  const ten = await find('hybrid', { text: 'pilots', include });
  const without = ten.map((hit) => ({ ...hit, citation: { ...hit.citation, regions: [] } }));
  assert.ok(ten.length === 10 && size(ten) <= 1.5 * size(without));
  const { body: written } = await textOf(job, 'markdown');
  assert.ok(written.text.includes('<!-- page 51 -->') && !written.text.includes('<!-- page 104 -->'));
  assert.equal(written.bytes, Buffer.byteLength(written.text));
});

test('pages of the web, Markdown, subtitles and rows are cited by what their format has', async () => {
  const { key } = await newOrganization(baseUrl);
  const { add, find, textOf, index } = await openIndex(key);
  const html = '<h1>Harbour</h1><p>Ships 😀 wait.</p><h2>Fog</h2><p>In fog the horn sounds.</p>';
  const web = await call(key, 'POST', `/v1/indexes/${index}/files`, {
    filename: 'fog.html',
    content_type: 'text/html',
    metadata: { url: 'https://example.com/fog' },
  });
  await fetch(web.body.upload_url, { method: 'PUT', headers: web.body.upload_headers, body: html });
  assert.equal((await finished(key, index, web.body.id)).status, 'completed');
  await add('talk.vtt', 'text/vtt', 'WEBVTT\n\n00:00:02.000 --> 00:00:04.500\nThe kraken sleeps.\n');
  const table = await add(
    'leaves.md',
    'text/markdown',
    '# Leaves\n\n| Leaf | Degrees |\n| --- | --- |\n| gyokuro | 55 |\n',
  );
  const [fog] = await find('sparse', { text: 'horn' });
  const { citation, text } = fog ?? assert.fail();
  assert.deepEqual(
    [citation.file, citation.pages, citation.regions, citation.heading_path],
    [{ job_id: web.body.id, filename: 'fog.html', url: 'https://example.com/fog' }, [], [], ['Harbour', 'Fog']],
  );
  const { body } = await textOf(web.body.id, 'text');
  assert.equal(
    Array.from(body.text as string)
      .slice(citation.start, citation.end)
      .join(''),
    text,
  );
  const [spoken] = await find('hybrid', { text: 'kraken' });
  assert.deepEqual([spoken?.citation.time_start, spoken?.citation.time_end], [2, 4.5]);
  assert.match(
    (await textOf(table, 'markdown')).body.text,
    /# Leaves\n\n\| Leaf \| Degrees \|\n\| --- \| --- \|\n\| gyokuro \| 55 \|/,
  );
  await call(key, 'POST', `/v1/indexes/${index}/vectors`, [{ id: 'own', text: 'A quokka.' }]);
  const [own] = await find('sparse', { text: 'quokka' });
  assert.equal(own?.citation, null);
  assert.equal((await textOf(table, 'html')).status, 422);
  assert.equal((await call(key, 'DELETE', `/v1/indexes/${index}/files/${table}`)).status, 204);
  assert.equal((await textOf(table, 'text')).status, 404);
});

test('a hit of a picture is cited by the boxes of its lines', async () => {
  const { key } = await newOrganization(baseUrl);
  const { add, find } = await openIndex(key);
  await add('scan.png', 'image/png', toPng(await drawText('The meridian observatory logged seventeen comets.')));
  const [hit] = await find('sparse', { text: 'observatory' });
  const { citation } = hit ?? assert.fail();
  assert.deepEqual([citation.pages, citation.start], [[1], 0]);
  assert.ok(citation.regions.length > 0 && citation.regions.every(({ page, width }) => page === 1 && width > 0.1));
});

/** Requests the picture of a page. */
const pictureOf = async (caller: Caller, index: string, job: string, page: string) => {
  const response = await fetch(`${baseUrl}/v1/indexes/${index}/files/${job}/pages/${page}`, {
    headers: { authorization: `Bearer ${caller.bearer}` },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

test('the boxes of a citation contain the text on the picture of its page', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index, add, find } = await openIndex(key);
  const scan = await drawText('The pilot leaves at dawn, when the tide turns.', 200);
  const files = [
    await add('manual.pdf', 'application/pdf', await makePdf(['Fog.', 'Ropes and anchors are kept below.'])),
    await add('scan.png', 'image/png', toPng(scan)),
  ] as const;
  for (const [at, [text, page]] of [
    ['anchors', 2],
    ['pilot', 1],
  ].entries()) {
    const [hit] = await find('sparse', { text });
    const job = files[at] ?? assert.fail();
    assert.deepEqual([hit?.citation.file.job_id, hit?.citation.pages], [job, [page]]);
    const { status, type, bytes } = await pictureOf(key, index, job, `${page}.png?width=800`);
    assert.deepEqual([status, type], [200, 'image/png']);
    const { width, inside, outside } = await measurePicture(bytes, hit?.citation.regions ?? []);
    assert.equal(width, Math.min(800, at === 1 ? scan.width : 800));
    assert.ok(inside.dark > 100 && outside.dark < inside.dark / 20, JSON.stringify([inside, outside]));
    assert.ok(inside.all < outside.all / 4);
    // The second request is answered with the stored picture.
    assert.deepEqual((await pictureOf(key, index, job, `${page}.png?width=800`)).bytes, bytes);
  }
});

test('a hit in an attachment of a mail is cited by its name and by its page, of which there is a picture', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index, add, find } = await openIndex(key);
  const lease = await makePdf(['Cover of the lease.', 'The tenant keeps the lantern room dry.']);
  const mail = [
    'Subject: The lease',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Dear Otto, the lease is attached.',
    '--b',
    'Content-Type: application/pdf; name="lease.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    lease.toString('base64'),
    '--b--',
    '',
  ].join('\r\n');
  const job = await add('lease.eml', 'message/rfc822', mail);
  const [hit] = await find('sparse', { text: 'lantern' });
  const { file, pages, regions } = hit?.citation ?? assert.fail();
  assert.deepEqual(file, { job_id: job, filename: 'lease.eml', attachment: 'lease.pdf' });
  assert.deepEqual(pages, [2]);
  const { status, bytes } = await pictureOf(key, index, job, '2.png?width=600&attachment=lease.pdf');
  assert.equal(status, 200);
  const { inside, outside } = await measurePicture(bytes, regions);
  assert.ok(inside.dark > 100 && outside.dark < inside.dark / 20, JSON.stringify([inside, outside]));
  const beyond = await pictureOf(key, index, job, '3.png?attachment=lease.pdf');
  assert.deepEqual([beyond.status, JSON.parse(beyond.bytes.toString()).pages], [404, 2]);
  for (const page of ['1.png', '1.png?attachment=other.pdf'])
    assert.equal((await pictureOf(key, index, job, page)).status, 409, page);
});

for (const format of ['jsonl', 'parquet'])
  test(`rows that are moved as ${format} are cited by the same pages and boxes`, async () => {
    const { key } = await newOrganization(baseUrl);
    const { add, find, index } = await openIndex(key);
    await add('manual.pdf', 'application/pdf', await manual(3));
    const { body: started } = await call(key, 'POST', `/v1/indexes/${index}/exports`, { format });
    await eventually(
      () => call(key, 'GET', `/v1/indexes/${index}/exports/${started.id}`),
      ({ body }) => body.status === 'completed',
    );
    const other = await openIndex(key);
    const { body: job } = await call(key, 'POST', `/v1/indexes/${other.index}/imports`, {
      provider: 'export',
      uri: `${index}/${started.id}`,
    });
    assert.equal((await finished(key, other.index, job.id)).status, 'completed');
    for (const text of ['word1', 'word3']) {
      const [[before], [after]] = [await find('sparse', { text }), await other.find('sparse', { text })];
      const [from, to] = [before?.citation ?? assert.fail(), after?.citation ?? assert.fail()];
      assert.deepEqual([to.file, to.start], [{ job_id: job.id, filename: 'manual.pdf' }, null]);
      assert.ok(from.regions.length > 0);
      assert.deepEqual([to.pages, to.regions, to.heading_path], [from.pages, from.regions, from.heading_path]);
    }
  });

test('a picture of a page has the bounds of its file, of its key and of its size', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index, add } = await openIndex(key);
  const pdf = await makePdf(['One.', 'Two.']);
  const job = await add('a.pdf', 'application/pdf', pdf);
  const read = async (page: string, by: Caller = key, of = job) => {
    const { status, bytes } = await pictureOf(by, index, of, page);
    return status === 200 ? [200] : [status, JSON.parse(bytes.toString()) as Record<string, unknown>];
  };
  assert.deepEqual(await read('2.png'), [200]);
  const [status, { detail, pages }] = (await read('3.png')) as [number, { detail: string; pages: number }];
  assert.deepEqual([status, detail, pages], [404, 'Page not found. The file has 2 pages', 2]);
  for (const page of ['0.png', '1.jpg', '1', '01.png', '1.png.png', '-1.png', '1.5.png'])
    assert.equal((await read(page))[0], 404, page);
  for (const query of ['width=99', 'width=2401', 'width=a', 'height=5'])
    assert.equal((await read(`1.png?${query}`))[0], 422);
  const text = await add('a.txt', 'text/plain', 'No pages.');
  const [refused, { detail: reason }] = (await read('1.png', key, text)) as [number, { detail: string }];
  assert.deepEqual([refused, reason], [409, 'A file of this format has no pages']);
  const bound = await call(key, 'POST', '/v1/api-keys', { name: 'a', permissions: ['read'], filter: { tenant: 'a' } });
  const caller = { baseUrl, bearer: bound.body.token as string };
  assert.equal((await read('1.png', caller))[0], 404);
  const { body: own } = await call(key, 'POST', `/v1/indexes/${index}/files`, {
    filename: 'own.pdf',
    content_type: 'application/pdf',
    metadata: { tenant: 'a' },
  });
  assert.equal((await read('1.png', key, own.id))[0], 409);
  await fetch(own.upload_url, { method: 'PUT', headers: own.upload_headers, body: Buffer.from(pdf) });
  await finished(key, index, own.id);
  assert.deepEqual(await read('1.png', caller, own.id), [200]);
  const { key: foreign } = await newOrganization(baseUrl);
  assert.equal((await read('1.png', foreign))[0], 404);
  await call(key, 'DELETE', `/v1/indexes/${index}/files/${job}`);
  assert.equal((await read('2.png'))[0], 404);
});

test('a branch reads the text and the pages of files that its parent had read before', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index, add } = await openIndex(key);
  const before = await add('before.pdf', 'application/pdf', await makePdf(['The lighthouse.']));
  const { body: branch } = await call(key, 'POST', `/v1/indexes/${index}/branches`, { name: 'draft' });
  const { body: twig } = await call(key, 'POST', `/v1/indexes/${branch.id}/branches`, { name: 'draft of it' });
  const later = await add('later.pdf', 'application/pdf', await makePdf(['The harbour.']));
  const restricted = await call(key, 'POST', '/v1/api-keys', {
    name: 'a',
    permissions: ['read'],
    index_ids: [twig.id],
  });
  const caller = { baseUrl, bearer: restricted.body.token as string };
  const read = (id: string, job: string, rest: string) => call(caller, 'GET', `/v1/indexes/${id}/files/${job}${rest}`);
  assert.equal((await read(twig.id, before, '/text?format=text')).body.text, 'The lighthouse.');
  assert.equal((await pictureOf(caller, twig.id, before, '1.png')).status, 200);
  assert.equal((await read(twig.id, before, '/chunks')).body.length, 1);
  assert.equal((await read(twig.id, before, '')).body.filename, 'before.pdf');
  for (const rest of ['', '/text', '/chunks', '/download', '/pages/1.png'])
    assert.equal((await read(twig.id, later, rest)).status, 404, rest);
  assert.equal((await read(index, before, '/text')).status, 403);
  const ownText = await call(key, 'GET', `/v1/indexes/${branch.id}/files/${before}/text`);
  assert.equal(ownText.body.text.includes('The lighthouse.'), true);
  const { body } = await call(key, 'POST', `/v1/indexes/${twig.id}/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'lighthouse' } },
  });
  const [passage] = body.result.structuredContent.results;
  const fetched = await call(key, 'POST', `/v1/indexes/${twig.id}/mcp`, {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'fetch', arguments: { id: passage.id } },
  });
  assert.equal(fetched.body.result.structuredContent.text, 'The lighthouse.');
});

test('the text of a file is read within the bounds of a key', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index } = await openIndex(key);
  const jobOf = async (tenant: string, text = `A secret of ${tenant}.`): Promise<string> => {
    const { body } = await call(key, 'POST', `/v1/indexes/${index}/files`, {
      filename: `${tenant}.txt`,
      content_type: 'text/plain',
      metadata: { tenant },
    });
    await fetch(body.upload_url, { method: 'PUT', headers: body.upload_headers, body: text });
    assert.equal((await finished(key, index, body.id)).status, 'completed');
    return body.id;
  };
  const [own, foreign] = [await jobOf('a'), await jobOf('b')];
  const bound = await call(key, 'POST', '/v1/api-keys', { name: 'a', permissions: ['read'], filter: { tenant: 'a' } });
  assert.equal(bound.status, 201, JSON.stringify(bound.body));
  const caller = { baseUrl, bearer: bound.body.token as string };
  const read = (job: string) => call(caller, 'GET', `/v1/indexes/${index}/files/${job}/text`);
  assert.equal((await read(own)).body.text, 'A secret of a.');
  assert.equal((await read(foreign)).status, 404);
  // Nor is a row of the same file that has left the bounds in the text around a hit.
  await jobOf('a', Array.from({ length: 120 }, (_, at) => `The lighthouse rule ${at} is kept.`).join(' '));
  const search = { text: 'lighthouse', top_k: 1, context: { unit: 'file' } };
  const find = async (by: Caller) => (await call(by, 'POST', `/v1/indexes/${index}/search/sparse`, search)).body;
  const [hit] = (await find(key)).results;
  const other = ((await find(key)).contexts[0].ids as string[]).find((id) => id !== hit.id);
  const patched = await call(key, 'POST', `/v1/indexes/${index}/vectors/update`, [
    { id: other, metadata: { tenant: 'b' } },
  ]);
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  const [ids, bounded] = [(await find(key)).contexts[0].ids, (await find(caller)).contexts[0].ids];
  assert.ok(ids.includes(other) && !bounded.includes(other) && bounded.length === ids.length - 1);
});

const chapters = ['Harbour', 'Fog', 'Ropes']
  .map(
    (title) => `# ${title}\n\n${Array.from({ length: 30 }, (_, at) => `The ${title} rule ${at} is kept.`).join(' ')}`,
  )
  .join('\n\n');

for (const engine of ['lance', 's3_vectors'])
  test(`a search marks its words and returns the text around its hits (${engine})`, async () => {
    const { key } = await newOrganization(baseUrl);
    const { add, index, find } = await openIndex(key, { engine });
    await add('rules.md', 'text/markdown', chapters);
    const send = (path: string, body: object, to = index) => call(key, 'POST', `/v1/indexes/${to}${path}`, body);
    const search = { text: 'ropes', top_k: 1, include: ['text', 'metadata'] };
    const highlight = { fragments: 2, max_chars: 60 };
    const { body: found } = await send('/search/sparse', { ...search, highlight, context: { unit: 'heading' } });
    const [hit] = found.results;
    assert.equal(hit.highlights.length, 2);
    for (const { text, start, end, marks } of hit.highlights) {
      assert.equal((hit.text as string).slice(start, end), text);
      assert.ok(marks.length > 0 && text.length <= 60);
      for (const [from, to] of marks) assert.equal((hit.text as string).slice(from, to), 'Ropes');
    }
    const [around] = found.contexts;
    assert.deepEqual([hit.context, around.hits, around.file.filename], [0, [hit.id], 'rules.md']);
    assert.equal((around.text as string).match(/The Ropes rule \d+ is kept/g)?.length, 30);
    assert.ok(!(around.text as string).includes('Fog'));
    const { body: all } = await send('/search/hybrid', { text: 'rule', top_k: 5, context: { unit: 'file' } });
    assert.equal(all.contexts.length, 1);
    for (let at = 0; at < 30; at += 1)
      assert.equal((all.contexts[0].text as string).split(`Fog rule ${at} `).length, 2);
    const tooMany = await send('/search/sparse', { text: 'rule', top_k: 51, context: {} });
    assert.deepEqual([tooMany.status, tooMany.body.detail[0].loc], [422, ['body', 'context']]);
    const outside = await send('/search/sparse', {
      ...search,
      text: 'harbour',
      filter: { chunk: 1 },
      context: { unit: 'file' },
    });
    for (const id of outside.body.contexts[0].ids) assert.match(id, /:00001$/);
    const defaults = { search_defaults: { context: { unit: 'file' } } };
    assert.equal((await call(key, 'PATCH', `/v1/indexes/${index}`, defaults)).status, 200);
    assert.equal((await send('/search/dense', { text: 'fog', top_k: 1 })).body.contexts.length, 1);
    assert.equal((await send('/search/dense', { text: 'fog', context: null })).body.contexts, undefined);
    const whole = /The Harbour rule 0 [^]*The Ropes rule 29 /;
    const openai = await call(key, 'POST', `/v1/openai/vector_stores/${index}/search`, { query: 'fog' });
    assert.deepEqual([openai.status, openai.body.data.length], [200, 1]);
    assert.match(openai.body.data[0].content[0].text, whole);
    const { file, start } = openai.body.data[0].citation as Citation;
    assert.ok(file.filename === 'rules.md' && start > 0);
    const params = { name: 'search', arguments: { query: 'fog', limit: 3 } };
    const mcp = await send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const [passage, ...others] = mcp.body.result.structuredContent.results;
    assert.match(passage.text, whole);
    assert.ok(others.length === 0 && passage.headings.length === 1);
    const [own] = await find('sparse', { text: 'ropes', highlight: {}, context: {}, include: [] });
    assert.equal(own?.text, undefined);
  });

test('a branch returns the text around hits in a file that its parent has replaced', async () => {
  const { key } = await newOrganization(baseUrl);
  const { add, index } = await openIndex(key);
  const job = await add('rules.md', 'text/markdown', chapters);
  const { body: branch } = await call(key, 'POST', `/v1/indexes/${index}/branches`, { name: 'draft' });
  const replaced = await call(key, 'POST', `/v1/indexes/${index}/files/${job}/replace`, {
    filename: 'rules.md',
    content_type: 'text/markdown',
  });
  const { upload_url: url, upload_headers: headers, id } = replaced.body;
  await fetch(url, { method: 'PUT', headers, body: '# New\n\nNothing about them.' });
  assert.equal((await finished(key, index, id)).status, 'completed');
  const around = async (to: string, text: string) => {
    const { body } = await call(key, 'POST', `/v1/indexes/${to}/search/sparse`, {
      text,
      top_k: 1,
      context: { unit: 'file' },
    });
    return body.contexts[0];
  };
  assert.match((await around(branch.id, 'ropes')).text, /The Harbour rule 0 [^]*The Ropes rule 29/);
  assert.equal((await around(index, 'nothing')).text, 'New\n\nNothing about them.');
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}/files/${job}/text`)).status, 409);
});
