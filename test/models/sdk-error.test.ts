import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTransientSdkError } from '../../shared/kernel/sdk-error.ts';
import { sdkFault } from '../../shared/platform/models/call-model.ts';

const errorOf = (name: string, more: object = {}): Error => Object.assign(new Error('what happened'), { name }, more);
const answered = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
const isPassingFault = (error: Error): boolean => sdkFault('A model', error, new Date()).isTransient;

test('AWS throttling, server errors and connection errors are transient, for models and callers', () => {
  for (const error of [
    errorOf('InternalServerError', answered(500)),
    errorOf('TooManyRequestsException', answered(429)),
    errorOf('ProvisionedThroughputExceededException', answered(400)),
    errorOf('ModelErrorException', answered(424)),
    errorOf('TimeoutError', { $metadata: {} }),
  ])
    assert.deepEqual([isPassingFault(error), isTransientSdkError(error)], [true, true], error.name);
  for (const error of [
    errorOf('ValidationException', answered(400)),
    errorOf('ConditionalCheckFailedException', answered(400)),
    errorOf('CredentialsProviderError', { $metadata: {} }),
  ])
    assert.deepEqual([isPassingFault(error), isTransientSdkError(error)], [false, false], error.name);
});

test('a model client error without a response is transient, and other errors are unknown', () => {
  const error = errorOf('AbortError');
  assert.deepEqual([isPassingFault(error), isTransientSdkError(error)], [true, false]);
});

test('an unknown host of a model is a permanent error, though a caller may retry', () => {
  const error = errorOf('Error', { code: 'ENOTFOUND', syscall: 'getaddrinfo', $metadata: {} });
  assert.deepEqual([isPassingFault(error), isTransientSdkError(error)], [false, true]);
  assert.ok(isPassingFault(errorOf('Error', { code: 'EAI_AGAIN', syscall: 'getaddrinfo', $metadata: {} })));
});
