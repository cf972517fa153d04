import type { AssemblyStack } from './read-assembly.ts';

/** On one machine an address of its own needs no https. */
const isOwnAddress = (value: string): boolean => /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$)/.test(value);

/**
 * Refuses values that no deployment would take.
 * @param asked values of parameters of the stacks, by name.
 * @throws Error in one line for a parameter that no stack has, and for a value that one of them does not allow.
 */
export const checkParameters = (stacks: readonly AssemblyStack[], asked: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(asked)) {
    const found = stacks.flatMap(({ template }) => template.Parameters[name] ?? []);
    if (found.length === 0) {
      const known = [...new Set(stacks.flatMap(({ template }) => Object.keys(template.Parameters)))].toSorted();
      throw new Error(`--parameter ${name}: no stack has it; there are ${known.join(', ')}`);
    }
    for (const { AllowedValues: allowed, AllowedPattern: pattern, ConstraintDescription: described } of found) {
      if (allowed !== undefined && !allowed.map(String).includes(value))
        throw new Error(`--parameter ${name}=${value}: give ${allowed.map(String).join(', ')}`);
      if (pattern !== undefined && !isOwnAddress(value) && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
        throw new Error(`--parameter ${name}=${value}: ${described ?? `it has to match ${pattern}`}`);
    }
  }
};
