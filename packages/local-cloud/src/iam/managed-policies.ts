/**
 * Managed policies of AWS that the templates may use, by ARN. https://docs.aws.amazon.com/aws-managed-policy/latest/reference/
 */
export const managedPolicies: Readonly<Record<string, object>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: '*',
      },
    ],
  },
};
