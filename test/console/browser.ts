import { after } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/support/browser.ts';

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
  const browser = await launchBrowser(executablePath);
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
