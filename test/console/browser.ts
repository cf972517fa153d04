import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import chromiumPack from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

const systemBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/**
 * Arguments of the browser of the npm package. It draws without a graphics processor: that package emulates one, which
 * takes twice the CPU time, and turns the same-origin policy off.
 */
const browserArguments = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--disable-features=AudioServiceOutOfProcess,IsolateOrigins,site-per-process',
];

/** Path of a browser: that of the npm package on Linux, elsewhere Chrome as installed; null if there is none. */
export const findBrowser = async (): Promise<string | null> => {
  if (process.platform === 'linux' && process.arch === 'x64') return chromiumPack.executablePath();
  return systemBrowsers.find((path) => existsSync(path)) ?? null;
};

/** Page in a browser context of its own, and everything that must not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Messages of violations of the content security policy and of uncaught errors. */
  readonly faults: readonly string[];
  /** Addresses of all requests. */
  readonly addresses: readonly string[];
}

/** Opens pages of one browser, which ends after the tests of the file. */
export const openBrowser = async (
  executablePath: string,
): Promise<{ readonly newPage: (locale: string) => Promise<WatchedPage> }> => {
  const browser: Browser = await chromium.launch({ executablePath, args: browserArguments, headless: true });
  after(() => browser.close());
  return {
    newPage: async (locale) => {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        locale,
      });
      // A browser under the locale POSIX lists an invalid language tag.
      await context.addInitScript(
        `Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', ${JSON.stringify(locale)}] })`,
      );
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const faults: string[] = [];
      const addresses: string[] = [];
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('request', (request) => addresses.push(request.url()));
      return { page, faults, addresses };
    },
  };
};

/** Returns the serious and critical findings of axe on a page, one line each. */
export const findBarriers = async (page: Page): Promise<readonly string[]> => {
  // Pages have no frames, so axe needs no second page to merge results in.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join(' | ')}`,
    );
};
