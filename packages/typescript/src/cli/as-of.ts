/** Returns the version or time that an argument is. The service refuses any other text. */
export const toAsOf = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);
