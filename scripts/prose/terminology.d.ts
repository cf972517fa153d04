declare module 'textlint-rule-terminology' {
  import type { TextlintRuleModule } from '@textlint/kernel';

  const rule: TextlintRuleModule;
  export default rule;
}
