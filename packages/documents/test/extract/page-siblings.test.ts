import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, readHere } from './read.ts';

const prose = (seed: number, count = 6): string =>
  `<p>${`The keeper of light ${seed} wrote down the wind, the waves and the ships that passed. `.repeat(count)}</p>`;

const long = (seed: number): string => prose(seed) + prose(seed + 1) + prose(seed + 2);

const textOf = async (body: string): Promise<string> => {
  const html = `<!doctype html><html><head><title>Harbour</title></head><body>${body}</body></html>`;
  return (await readHere(fileOf('a.html', html))).map(({ text }) => text).join('\n\n');
};

const links = (words: readonly string[]): string =>
  `<ul>${words.map((word) => `<li><a href="/${word}">${word} of the port</a></li>`).join('')}</ul>`;

const menu = links(['Berths', 'Tariffs', 'Pilots', 'Archive']);
const contact = '<h2>Contact</h2><p>Quay 4, 25845 Nordstrand</p><p>Call <a href="tel:04842">04842 77</a></p>';
const hours =
  '<h2>Opening hours</h2><ul><li>Monday to Thursday from nine to four</li><li>Friday from nine to noon</li></ul>';

/** Bodies with an article and other content, in which the contact and the hours must be read after the article. */
const shapes: Readonly<Record<string, (main: string, side: string) => string>> = {
  columns: (main, side) => `<div class="row"><div class="col">${main}</div><div class="col">${side}</div></div>`,
  'columns in sections': (main, side) => `<section>${main}</section><section>${side}</section>`,
  'an article and a block': (main, side) => `<article>${main}</article><div class="contact">${side}</div>`,
  'an article and a sidebar': (main, side) =>
    `<div id="page"><article>${main}</article><div class="sidebar">${side}</div></div>`,
  'two articles': (main, side) => `<article><h1>News</h1>${main}</article><article>${side}</article>`,
  'two articles in a main element': (main, side) =>
    `<main><article>${main}</article><article class="card">${side}</article></main>`,
  'an unnamed block': (main, side) => `<div><div>${main}</div></div><div><div><div>${side}</div></div></div>`,
  'cells of a layout table': (main, side) =>
    `<table role="presentation"><tr><td>${main}</td><td>${side}</td></tr></table>`,
};

/** Shapes in which other content is apart from the article. */
const besideArticle = Object.entries(shapes).filter(([shape]) => /an article and|^columns$|unnamed/.test(shape));

/** Boilerplate that must be left out beside an article. It contains the word "port" or "boilerplate". */
const boilerplate: Readonly<Record<string, string>> = {
  'a list of links': menu,
  'a menu by class': `<div class="main-menu">${menu}</div>`,
  'a navigation by id': `<div id="navBar"><a href="/a">Start of the port</a> | <a href="/b">Shop of the port</a></div>`,
  'related links': `<div class="related-posts"><h3>Related boilerplate</h3>${menu}</div>`,
  'links under a heading': `<h3>More boilerplate</h3>${menu}`,
  'teasers with a line below each': `<div class="more"><h3>Most read today</h3>${['Bakery', 'Goose', 'Choir'].map((word) => `<div class="card"><a href="/${word}"><h4>${word} of the port in the news</h4></a><p>Boilerplate line below it.</p></div>`).join('')}</div>`,
  comments: `<div id="comments"><p>A boilerplate remark that a visitor wrote about the article of the day.</p></div>`,
  'buttons to share': `<div class="share-bar"><span>Share this boilerplate</span></div>`,
  'a cookie banner': `<div class="cookie-banner"><p>This boilerplate page uses cookies.</p></div>`,
  'a footer by class': `<div class="site-footer"><p>Boilerplate copyright, all rights reserved.</p></div>`,
  'a form': `<form><p>Boilerplate letters every week, by mail.</p><input name="mail"></form>`,
  advertisement: `<div class="advert"><p>Buy boilerplate lamps, today only.</p></div>`,
  breadcrumbs: `<div class="breadcrumbs"><a href="/">Start of the port</a> &gt; Boilerplate</div>`,
};

test('content beside the main article of a page is read in order, whatever the shape of the page', async () => {
  for (const [shape, body] of Object.entries(shapes)) {
    for (const [seed, side] of [contact + hours, hours + contact].entries()) {
      const text = await textOf(body(`<h2>About</h2>${long(seed)}`, side));
      const wanted = ['About', `light ${seed + 2}`, 'Quay 4, 25845 Nordstrand', '04842 77'];
      for (const words of [
        ...wanted,
        'Opening hours',
        'Monday to Thursday from nine to four',
        'Friday from nine to noon',
      ])
        assert.equal(text.split(words).length > 1, true, `${shape} lost ${words}: ${text}`);
      assert.ok(text.indexOf('Quay 4') > text.indexOf(`light ${seed + 2}`), shape);
    }
  }
});

test('links and other boilerplate beside an article stay out while the content beside them is read', async () => {
  for (const [name, part] of Object.entries(boilerplate)) {
    for (const [shape, body] of besideArticle) {
      const page = body(long(1), contact);
      const pages = [`${part}${page}`, `${page}${part}`];
      // Links are also left out of a block that is read.
      if (part.includes(menu)) pages.push(body(long(1), contact + part));
      for (const text of await Promise.all(pages.map(textOf))) {
        assert.doesNotMatch(text, /of the port|boilerplate/i, `${name} with ${shape}`);
        assert.match(text, /Quay 4, 25845 Nordstrand/, `${name} with ${shape}`);
      }
    }
  }
});

test('a short page is read without the menu and the footer that only classes name', async () => {
  for (const named of ['menu', 'nav', 'navbar', 'main-nav', 'mainMenu', 'top_menu'])
    for (const footer of ['footer', 'site-footer', 'page_footer']) {
      const text = await textOf(
        `<div class="${named}">${menu}</div><div><h1>Notice</h1><p>Closed on Friday.</p></div><div class="${footer}"><p>All rights reserved.</p></div>`,
      );
      assert.equal(text, 'Harbour\n\nNotice\n\nClosed on Friday.', `${named}, ${footer}`);
    }
});

test('the dishes of a menu, a page of links and a page with nothing but a footer are read', async () => {
  assert.match(await textOf('<div class="menu"><h2>Menu</h2><p>Soup 5 euros</p></div>'), /Soup 5 euros/);
  assert.match(await textOf(`<h1>Archive</h1>${menu}`), /Tariffs of the port/);
  assert.match(await textOf('<div class="footer"><p>All rights reserved.</p></div>'), /All rights reserved/);
});

test('of a page that states to be an article, the article is read without teasers, controls and repeated captions', async () => {
  const stated: readonly string[] = [
    '<meta property="og:type" content="article">',
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": ["NewsArticle"]}</script>',
  ];
  const teaser = (seed: number): string =>
    `<div class="card"><a href="/${seed}"><h4>Tale ${seed} of the port</h4></a><p>A boilerplate tale that no keeper told before.</p></div>`;
  const caption = '<figure><img src="a.jpg"><figcaption>The lamp of the harbour by night</figcaption></figure>';
  const body = `<main><article><h1>The lamp goes out</h1><div class="text">${long(1)}${caption}<p>Advertisement</p>${long(4)}${caption}</div>
    <p>You may also like</p><p>Boilerplate of the day</p></article><section>${[1, 2, 3].map(teaser).join('')}</section></main>`;
  for (const statement of stated) {
    const html = `<!doctype html><html><head><title>The lamp goes out</title>${statement}</head><body>${body}</body></html>`;
    const text = (await readHere(fileOf('a.html', html))).map((section) => section.text).join('\n\n');
    assert.match(text, /^The lamp goes out\n\nThe keeper of light 1 /);
    assert.match(text, /light 6 wrote down/);
    assert.equal(text.split('The lamp of the harbour by night').length, 2);
    assert.doesNotMatch(text, /of the port|boilerplate|Advertisement|also like/i);
  }
  const plain = (await readHere(fileOf('a.html', `<html><head><title>A</title></head><body>${body}</body></html>`)))
    .map((section) => section.text)
    .join('\n\n');
  assert.match(plain, /Tale 2 of the port/);
});
