/** Request of an application that asks for access. It is sent back with the decision of the person. */
export type AuthorizationRequest = { readonly client_id: string; readonly redirect_uri: string } & Readonly<
  Record<string, string>
>;

/** Settings that the service writes into the page: `shared/console/console-page.ts`. */
interface Settings {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly signOutEndpoint: string | null;
  readonly clientId: string;
  /** Only on the page that asks for the access of an application. */
  readonly authorization?: AuthorizationRequest;
}

/** Base address of the service, which serves the console as well. */
export const baseUrl = location.origin + location.pathname.replace(/\/(?:console|v1\/oauth\/authorize)$/, '');

export const settings = JSON.parse(document.querySelector('#settings')?.textContent ?? '{}') as Settings;

/** Nonce of the page, which its inline styles need. */
export const styleNonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

// Name under which the scroll lock of dialogs looks for the nonce of its style.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
