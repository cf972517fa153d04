import { checkParameters, readAssembly } from '#local-cloud';

/** Whether `STACK:NAME=VALUE` names its stack. */
export const namesStack = (parameter: string): boolean => /^[^=]*:/.test(parameter);

/**
 * Names the stacks of each parameter `NAME=VALUE`: all that have it. The CDK would give it to every stack, and
 * CloudFormation refuses a parameter that a template does not have.
 * @throws Error in one line if no stack has it or one of them does not allow the value.
 */
export const withStacks = (assemblyDirectory: string, parameters: readonly string[]): readonly string[] => {
  const { stacks } = readAssembly(assemblyDirectory);
  return parameters.flatMap((parameter) => {
    if (namesStack(parameter)) return [parameter];
    const [, name = parameter, value = ''] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    checkParameters(stacks, { [name]: value });
    return stacks
      .filter(({ template }) => Object.hasOwn(template.Parameters, name))
      .map((stack) => `${stack.name}:${parameter}`);
  });
};
