"""Creates the stacks of a cloud assembly in moto and prints what it created and what it does not know.

Usage: create-in-moto.py ASSEMBLY REGION
"""

import collections
import graphlib
import json
import os
import pathlib
import sys
import warnings

import boto3
from moto import mock_aws
from moto.cloudformation.parsing import resource_class_from_type

assembly, region = pathlib.Path(sys.argv[1]), sys.argv[2]
artifacts = json.loads((assembly / "manifest.json").read_text())["artifacts"]

waits_for = {name: artifact.get("dependencies", []) for name, artifact in artifacts.items()}
order = [
    name
    for name in graphlib.TopologicalSorter(waits_for).static_order()
    if artifacts[name]["type"] == "aws:cloudformation:stack"
]


def without_unknown_outputs(template):
    """Names attributes of resources that moto does not know by a text. It fails at them, where it skips the resource."""
    for output in template.get("Outputs", {}).values():
        value = output["Value"]
        owner, *attribute = value.get("Fn::GetAtt", [value.get("Ref")])
        resource = template["Resources"].get(owner)
        if resource and resource_class_from_type(resource["Type"]) is None:
            output["Value"] = ".".join([owner, *attribute])
    return template


def create(name):
    """Creates one stack. Returns the number of resources of each type in its template, and of those that moto has made."""
    template = without_unknown_outputs(json.loads((assembly / f"{name}.template.json").read_text()))
    has_version = "BootstrapVersion" in template.get("Parameters", {})
    buckets.put_object(Bucket="templates", Key=name, Body=json.dumps(template))
    stacks.create_stack(
        StackName=name,
        TemplateURL=f"https://templates.s3.amazonaws.com/{name}",
        Capabilities=["CAPABILITY_NAMED_IAM"],
        Parameters=[{"ParameterKey": "BootstrapVersion", "ParameterValue": "/bootstrap"}] if has_version else [],
    )
    made = [
        summary["ResourceType"]
        for page in stacks.get_paginator("list_stack_resources").paginate(StackName=name)
        for summary in page["StackResourceSummaries"]
        # What moto skips has no type.
        if summary["ResourceType"]
    ]
    asked = [resource["Type"] for resource in template["Resources"].values()]
    return collections.Counter(asked), collections.Counter(made)


# Codes of functions lie in no bucket here, and moto runs none of them.
os.environ.update(
    AWS_ACCESS_KEY_ID="moto", AWS_SECRET_ACCESS_KEY="moto", VALIDATE_LAMBDA_S3="false", AWS_DEFAULT_REGION=region
)
os.environ.pop("AWS_ENDPOINT_URL", None)
warnings.filterwarnings("ignore")
failed = []
with mock_aws():
    buckets, stacks = boto3.client("s3"), boto3.client("cloudformation")
    boto3.client("ssm").put_parameter(Name="/bootstrap", Value="99", Type="String")
    buckets.create_bucket(Bucket="templates")
    asked, made = collections.Counter(), collections.Counter()
    for name in order:
        try:
            of_template, of_stack = create(name)
            asked, made = asked + of_template, made + of_stack
        except Exception as error:  # noqa: BLE001
            failed.append(name)
            print(f"{name}: {type(error).__name__}: {error}")

for kind, count in sorted(asked.items()):
    if made[kind] < count:
        print(f"gap  {kind}: {made[kind]} of {count}")
print(f"{made.total()} of {asked.total()} resources, {len(order) - len(failed)} of {len(order)} stacks")
sys.exit(1 if failed else 0)
