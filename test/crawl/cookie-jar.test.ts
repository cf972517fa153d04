import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCookieJar } from '../../shared/platform/crawl/cookie-jar.ts';

const jarAt = (now = 0) => {
  const clock = { now };
  return { clock, jar: openCookieJar([], () => clock.now) };
};

test('a cookie is sent to its host, path and protocol until it expires', () => {
  const { clock, jar } = jarAt();
  jar.take('https://docs.example.com/guide/one', [
    'session=1; Path=/',
    'part=2',
    'safe=3; Path=/; Secure',
    'short=4; Path=/; Max-Age=60; Expires=Thu, 01 Jan 2099 00:00:00 GMT',
    'old=5; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
  ]);
  assert.equal(jar.headerFor('https://docs.example.com/guide/two'), 'part=2; session=1; safe=3; short=4');
  assert.equal(jar.headerFor('http://docs.example.com/guidebook'), 'session=1; short=4');
  assert.equal(jar.headerFor('https://example.com/guide/two'), null);
  clock.now = 61_000;
  assert.equal(jar.headerFor('http://docs.example.com/'), 'session=1');
  assert.ok(jar.take('http://docs.example.com/', ['session=; Path=/; Max-Age=0']));
  assert.equal(jar.headerFor('http://docs.example.com/'), null);
});

test('a cookie with a domain is sent to the host with and without www, and to no other host of the domain', () => {
  const { jar } = jarAt();
  jar.take('https://www.example.com/', ['a=1; Domain=example.com', 'b=2; Domain=.com', 'c=3', 'd=4; Domain=other.com']);
  assert.equal(jar.headerFor('https://www.example.com/'), 'a=1; b=2; c=3');
  assert.equal(jar.headerFor('https://example.com/'), 'a=1; b=2');
  for (const host of ['docs.example.com', 'other.com', 'com.com'])
    assert.equal(jar.headerFor(`https://${host}/`), null, host);
});

test('a cookie jar stores at most fifty cookies of at most 4,096 characters, and survives being stored', () => {
  const { jar } = jarAt();
  const url = 'https://example.com/';
  assert.ok(!jar.take(url, [`long=${'x'.repeat(4_100)}`, '=nameless', 'nothing', 'bad=\u0001']));
  assert.ok(
    jar.take(
      url,
      Array.from({ length: 60 }, (_, at) => `c${at}=${at}`),
    ),
  );
  assert.equal(jar.all().length, 50);
  assert.ok(!jar.take(url, ['c59=59']));
  const again = openCookieJar(structuredClone([...jar.all()]), () => 0);
  assert.equal(again.headerFor(url), jar.headerFor(url));
});
