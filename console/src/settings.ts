/** Settings that the service writes into the page: `shared/console/console-page.ts`. */
interface Settings {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly signOutEndpoint: string | null;
  readonly clientId: string;
}

/** Base address of the service, which serves the console as well. */
export const baseUrl = new URL('.', location.origin + location.pathname).href.replace(/\/$/, '');

export const settings = JSON.parse(document.querySelector('#settings')?.textContent ?? '{}') as Settings;

/** Nonce of the page, which its inline styles need. */
export const styleNonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

// Name under which the scroll lock of dialogs looks for the nonce of its style.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
