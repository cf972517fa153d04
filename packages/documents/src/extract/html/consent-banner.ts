import type { AttributeOf } from './tag-names.ts';

/** Names of the banners of common consent tools. */
const tools =
  /^(?:onetrust|cybotcookiebot|cookiebot|usercentrics|didomi|truste-|qc-cmp2|cookie-law-info|osano-cm|iubenda-cs|cky-|cmplz-|borlabs-?cookie|klaro$|cc-window|cc-banner|sp_message_container|termly|moove_gdpr|hs-eu-cookie)/i;

const forms =
  '(?:banner|bar|notice|notification|popup|modal|dialog|overlay|message|prompt|wall|law|alert|toast|layer|disclaimer|drawer)';

/** Names of other banners, without separators: `cookiebanner`, `sitecookienotice`, `consentpopup`, `bannercookies`. */
const names = new RegExp(
  `(?:cookies?|gdpr|ccpa)(?:policy|consent|info|settings)?(?:${forms}|consent)$|` +
    `consent(?:${forms}|manager|sdk|root|container)$|${forms}(?:cookies?|consent|gdpr|ccpa)$`,
);

/** Names which state on another element, such as the whole page, that there is a banner. */
const states = /^(?:has|is|with|no|show|hide)[-_]/i;

const isBannerName = (name: string): boolean => {
  if (states.test(name)) return false;
  // BEM styles add the names of parts after underscores or two hyphens.
  const heads = [name, name.split(/__|--|_(?=[^_]*__)/, 1)[0] ?? ''];
  return tools.test(name) || heads.some((head) => names.test(head.replace(/[^a-z\d]/gi, '').toLowerCase()));
};

const maxNameChars = 500;
const mayBeBanner =
  /cookie|consent|gdpr|ccpa|onetrust|usercentrics|didomi|truste|qc-cmp2|osano|iubenda|cky-|cmplz-|klaro|cc-window|cc-banner|sp_message|termly/i;

/** Whether the id or a class of an element names it a cookie consent banner. */
export const isConsentBanner = (attributeOf: AttributeOf): boolean => {
  const text = `${attributeOf('id') ?? ''} ${attributeOf('class') ?? ''}`.slice(0, maxNameChars);
  return mayBeBanner.test(text) && text.split(/\s+/).some(isBannerName);
};
