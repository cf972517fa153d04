/** Fields that hold what nobody may read in a log, by name. */
const secretName = /authorization|cookie|credential|passw|secret|(^|_)token$|api_?key|upload_url|(^|_)sas$|signature/i;

/** Secrets by their form, wherever in a text they stand: bearer values, signing secrets, JSON web tokens, signed addresses. */
const secretForms =
  /\b(?:svc_(?:live|at|sess|secret)_|whsec_)[A-Za-z0-9+/=_-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=[?&](?:X-Amz-(?:Signature|Credential|Security-Token)|sig)=)[^&\s"']+/gi;

const mask = '[redacted]';

/** A JSON replacer that keeps secrets out of log lines: fields by their name, and texts by what they hold. */
export const redact = (name: string, value: unknown): unknown => {
  if (value !== null && value !== undefined && secretName.test(name)) return mask;
  return typeof value === 'string' ? value.replaceAll(secretForms, mask) : value;
};
