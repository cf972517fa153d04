/** Whether nothing of a text was left out as it was read: characters of another alphabet are, but for that of URLs. */
export const isWholeBase64 = (value: string, bytes: Buffer): boolean => {
  const digits = value.length - (value.endsWith('==') ? 2 : Number(value.endsWith('=')));
  const whole = digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4);
  return whole && !value.includes('-') && !value.includes('_');
};
