import type { CloudPlan } from './assembly/plan-cloud.ts';
import type { SettingsFile } from './data/settings.ts';
import type { AccessDenied } from './iam/access-denied.ts';
import { type AccessKey, functionAccessKey } from './iam/access-keys.ts';
import { type Authorizer, openAuthorizer } from './iam/authorizer.ts';
import { checkServiceAccess } from './iam/check-service-access.ts';
import { reportDenial } from './iam/report-denial.ts';
import type { ObjectAccess } from './object-store/contracts.ts';

/** Access keys of one cloud, and the authorizer of their permissions. */
interface Access {
  readonly authorizer: Authorizer;
  /** The authorizer with the interface of the object store. */
  readonly access: ObjectAccess;
  readonly operatorKey: AccessKey;
  readonly keyOf: (functionArn: string) => Required<AccessKey>;
}

const objectAccess = ({ callerOf, authorize }: Authorizer): ObjectAccess => ({
  find: (accessKeyId) => callerOf(accessKeyId)?.key,
  authorize: (accessKeyId, action, resource, context) => {
    const caller = callerOf(accessKeyId);
    if (caller === undefined) throw new Error(`there is no access key ${accessKeyId}`);
    authorize(caller, action, resource, context);
  },
});

/**
 * Opens the authorizer of the templates' policies, with the keys of a data directory.
 * @throws Error that names each permission that a service of AWS lacks.
 */
export const openAccess = (options: {
  readonly plan: CloudPlan;
  readonly settings: SettingsFile;
  readonly accountId: string;
  readonly onWarning: (text: string) => void;
  readonly onDenied?: (denied: AccessDenied) => void;
}): Access => {
  const { plan, settings, accountId, onWarning, onDenied = reportDenial } = options;
  checkServiceAccess(plan, accountId);
  const { accessKeyId, secretAccessKey } = settings.read();
  const operatorKey = { accessKeyId, secretAccessKey };
  const keyOf: Access['keyOf'] = (functionArn) => functionAccessKey(operatorKey, functionArn);
  const authorizer = openAuthorizer({
    permissions: plan.permissions,
    accountId,
    operatorKey,
    keyOf,
    onDenied: (denied) => {
      onWarning(denied.message);
      onDenied(denied);
    },
  });
  return { authorizer, access: objectAccess(authorizer), operatorKey, keyOf };
};
