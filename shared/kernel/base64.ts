/** Whether `bytes` decode all of a base64 text. Characters of another alphabet fail, including those of base64url. */
export const isWholeBase64 = (value: string, bytes: Buffer): boolean => {
  const digits = value.length - (value.endsWith('==') ? 2 : Number(value.endsWith('=')));
  const whole = digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4);
  return whole && !value.includes('-') && !value.includes('_');
};
