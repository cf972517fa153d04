const prefix = 'strata.searches.';
const maxQueries = 20;

/** Returns the last queries of an index in this browser, the newest first. */
export const pastQueries = (indexId: string): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(prefix + indexId) ?? '[]');
    return Array.isArray(stored) ? stored.filter((query): query is string => typeof query === 'string') : [];
  } catch {
    return [];
  }
};

/** Keeps a query in this browser. */
export const rememberQuery = (indexId: string, query: string): void => {
  const queries = [query, ...pastQueries(indexId).filter((past) => past !== query)];
  localStorage.setItem(prefix + indexId, JSON.stringify(queries.slice(0, maxQueries)));
};

/** Removes all queries from this browser. */
export const forgetQueries = (): void => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
};
