const csvCell = (value: string | number): string => {
  const text = String(value);
  // A leading sign would be a formula in spreadsheets.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Downloads a table as a CSV file. */
export const downloadCsv = (
  name: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void => {
  const csv = [head, ...rows].map((cells) => cells.map(csvCell).join(',')).join('\r\n');
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
