import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openExternalCrawler } from '../../shared/platform/crawl/external-crawler.ts';
import { listening } from '../support/emulated-cloud.ts';

const mebibyte = 1024 * 1024;

test('a response of an external crawler without a content length is read up to the maximum size', async (context) => {
  const most = 96;
  let sent = 0;
  const server = createServer((_, response) => {
    const piece = Buffer.alloc(mebibyte, 'x');
    const send = async (): Promise<void> => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":"');
      for (; sent < most && !response.destroyed; sent += 1)
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      response.end('"}');
    };
    void send();
  });
  const url = await listening(server);
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const crawler = openExternalCrawler({ isUsed: true, baseUrl: url, readKey: () => Promise.resolve('') });
  const started = crawler.start({ key: 'k', url: 'https://docs.example.com/', pageLimit: 1, maxDepth: 1 });
  await assert.rejects(started, /^Error: the response of the external crawler is too large$/);
  assert.ok(sent < most, `${sent} MiB were sent`);
});
