/** Outcome of one check. `unknown`: the check itself could not be made. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'advice' | 'problem' | 'unknown';
  readonly message: string;
  /** What to do about it; absent if there is nothing to do. */
  readonly action?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message });

export const advice = (check: string, message: string, action: string): Finding => ({
  check,
  level: 'advice',
  message,
  action,
});

export const problem = (check: string, message: string, action: string): Finding => ({
  check,
  level: 'problem',
  message,
  action,
});

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Runs a check. One that throws is a finding of its own. */
export const attempt = async (
  check: string,
  run: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return [await run()].flat();
  } catch (error) {
    const action = 'Allow the credentials to make this request, or check it by hand.';
    return [{ check, level: 'unknown', message: messageOf(error), action }];
  }
};
