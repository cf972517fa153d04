/** Names of fields that contain secrets. */
const secretName = /authorization|cookie|credential|passw|secret|(^|_)token$|api_?key|upload_url|(^|_)sas$|signature/i;

/** Forms of secrets inside texts: bearer values, signing secrets, JSON web tokens, presigned URLs. */
const secretForms =
  /\b(?:svc_(?:live|at|sess|secret)_|whsec_)[A-Za-z0-9+/=_-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=[?&](?:X-Amz-(?:Signature|Credential|Security-Token)|sig)=)[^&\s"']+/gi;

const mask = '[redacted]';

/** JSON replacer that masks secrets in log lines: fields by name, and texts by content. */
export const redact = (name: string, value: unknown): unknown => {
  if (value !== null && value !== undefined && secretName.test(name)) return mask;
  return typeof value === 'string' ? value.replaceAll(secretForms, mask) : value;
};
