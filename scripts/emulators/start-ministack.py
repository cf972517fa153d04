"""Starts ministack 1.5 with what a deployment of Strata needs and it lacks. docs/emulators.md lists these gaps."""

from ministack.core import iam_actions, lambda_runtime
from ministack.services.cloudformation import provisioners

NUMBERS = {
    "MaximumConcurrency",
    "MemorySize",
    "MinimumLength",
    "ReservedConcurrentExecutions",
    "ThrottlingBurstLimit",
    "ThrottlingRateLimit",
}

# Handler of a type of resources that is accepted and not emulated.
WITHOUT_EFFECT = {
    "create": lambda logical_id, properties, stack_name: (f"{stack_name}-{logical_id}", {}),
    "update": lambda physical_id, before, after, stack_name: (physical_id, {}),
    "delete": lambda physical_id, properties: None,
}

pool_attributes = provisioners._cognito_user_pool_attributes
alarm_record = provisioners._cw_metric_alarm_record
iam_action = iam_actions.extract_iam_action


def with_provider_url(pool_id):
    """Attributes of a user pool, with the one that is missing."""
    known = pool_attributes(pool_id)
    return {**known, "ProviderURL": f"https://{known['ProviderName']}"}


def without_expression(name, properties):
    """Record of an alarm. In place of a refused expression it watches the first metric that the expression reads."""
    queries = [query["MetricStat"] for query in properties.get("Metrics") or [] if "MetricStat" in query]
    if not queries:
        return alarm_record(name, properties)
    first = queries[0]
    rest = {key: value for key, value in properties.items() if key != "Metrics"}
    return alarm_record(name, {**rest, **first["Metric"], "Period": first["Period"], "Statistic": first["Stat"]})


def with_numbers(value, key=""):
    """Properties in which the numbers that come from parameters are numbers. CloudFormation converts them by its schemas."""
    if isinstance(value, dict):
        return {name: with_numbers(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_numbers(inner) for inner in value]
    return int(value) if key in NUMBERS and isinstance(value, str) and value.isdigit() else value


def with_batch_rights(service, *request):
    """Action that a request needs. SQS allows a batch to whoever may send or delete one message."""
    action = iam_action(service, *request)
    return action.removesuffix("Batch") if service == "sqs" and action else action


def converting(handler):
    return lambda *args, **named: handler(*[with_numbers(arg) if isinstance(arg, dict) else arg for arg in args], **named)


iam_actions.extract_iam_action = with_batch_rights
provisioners._cognito_user_pool_attributes = with_provider_url
provisioners._cw_metric_alarm_record = without_expression
for handlers in provisioners._RESOURCE_HANDLERS.values():
    for name in ("create", "update"):
        if callable(handlers.get(name)):
            handlers[name] = converting(handlers[name])
# The service needs neither in a deployment without indexes of S3 Vectors and without the pages of Cognito.
for unknown in ("AWS::Cognito::ManagedLoginBranding", "AWS::S3Vectors::VectorBucket"):
    provisioners._RESOURCE_HANDLERS.setdefault(unknown, WITHOUT_EFFECT)
# Lambda finds the handler in index.cjs, too.
lambda_runtime._NODEJS_WORKER_SCRIPT = (
    "require('module')._extensions['.cjs'] ??= require('module')._extensions['.js'];\n"
    + lambda_runtime._NODEJS_WORKER_SCRIPT
)

from ministack.app import main  # noqa: E402

main()
