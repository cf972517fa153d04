import { DefaultStackSynthesizer, type StackProps } from 'aws-cdk-lib';

/**
 * Properties of the stack `<deployment>-<name>`. The account is not set, so that the templates are the same for all users.
 * The region is set, so that every stack can name resources of another.
 */
export const stackProps = (deployment: string, name: string, region: string, description: string): StackProps => {
  // The CLI compares the bootstrap version itself; the rule would only add a parameter to every template.
  const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  return {
    stackName: `${deployment}-${name}`,
    description: `${deployment}: ${description}`,
    env: { region },
    // The class leaves optional members undefined, which the strict reading of its own interface forbids.
    synthesizer: synthesizer as NonNullable<StackProps['synthesizer']>,
  };
};
