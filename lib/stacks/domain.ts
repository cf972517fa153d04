import { CfnCondition, CfnOutput, CfnParameter, Fn, type Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { addRule } from './add-rule.ts';

/** Serves the API under a domain of the operator if the parameters name one, and outputs its address. Returns both. */
export const addDomain = (
  stack: Stack,
  api: apigateway.HttpApi,
  stage: apigateway.CfnStage,
): { readonly hasDomain: CfnCondition; readonly address: string } => {
  const name = new CfnParameter(stack, 'DomainName', {
    default: '',
    allowedPattern: '^([a-z0-9-]+(\\.[a-z0-9-]+)+)?$',
    description: 'Domain under which the API is served as well, such as vectors.example.com; empty for none',
  });
  const certificate = new CfnParameter(stack, 'DomainCertificateArn', {
    default: '',
    allowedPattern: '^(arn:aws[a-z-]*:acm:.+)?$',
    description: 'Certificate of DomainName in the Certificate Manager of the region of this stack',
  });
  const isNone = ({ value }: CfnParameter) => Fn.conditionEquals(value, '');
  addRule(stack, 'DomainHasACertificate', {
    assert: Fn.conditionOr(
      Fn.conditionAnd(isNone(name), isNone(certificate)),
      Fn.conditionNot(Fn.conditionOr(isNone(name), isNone(certificate))),
    ),
    otherwise: 'DomainName and DomainCertificateArn are given together or not at all',
  });
  const hasDomain = new CfnCondition(stack, 'HasDomain', { expression: Fn.conditionNot(isNone(name)) });
  const domain = new apigateway.CfnDomainName(stack, 'Domain', {
    domainName: name.valueAsString,
    domainNameConfigurations: [
      { certificateArn: certificate.valueAsString, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' },
    ],
  });
  const mapping = new apigateway.CfnApiMapping(stack, 'DomainMapping', {
    apiId: api.apiId,
    domainName: domain.ref,
    stage: stage.ref,
  });
  for (const resource of [domain, mapping]) resource.cfnOptions.condition = hasDomain;
  new CfnOutput(stack, 'ApiUrl', {
    value: Fn.conditionIf(hasDomain.logicalId, `https://${name.valueAsString}`, api.apiEndpoint).toString(),
    description: 'Base address of the service',
  });
  const target = (attribute: string) => Fn.getAtt(domain.logicalId, attribute).toString();
  new CfnOutput(stack, 'DomainTarget', {
    condition: hasDomain,
    value: target('RegionalDomainName'),
    description: 'What the name server has to lead DomainName to, by a CNAME or an alias',
  });
  return { hasDomain, address: `https://${name.valueAsString}` };
};
