import { existsSync } from 'node:fs';
import chromiumPack from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const systemBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/**
 * Arguments of the browser. It draws without a graphics processor: the npm package would emulate one, which takes three
 * times the CPU time, and would turn the same-origin policy off.
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

/** Starts the browser at a path. */
export const launchBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: browserArguments, headless: true });
