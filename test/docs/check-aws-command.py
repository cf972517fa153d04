"""Stands in for the program `aws`: checks a command against the models of the API, and prints a name in place of a result."""

import sys

import botocore.session
from botocore import xform_name

GLOBAL = {"--region", "--query", "--output", "--profile"}
FILES = {"cp", "mv", "rb", "rm", "sync"}

service, command, *rest = sys.argv[1:]
if service == "s3":
    if command not in FILES:
        sys.exit(f"aws s3 {command}: unknown command")
    sys.exit()
model = botocore.session.get_session().get_service_model(service)
if command == "wait":
    command, *rest = rest
    waiters = botocore.session.get_session().get_waiter_model(service)
    names = {xform_name(name, "-"): waiters.get_waiter(name).operation for name in waiters.waiter_names}
else:
    names = {xform_name(name, "-"): name for name in model.operation_names}
if command not in names:
    sys.exit(f"aws {service} {command}: unknown command")
shape = model.operation_model(names[command]).input_shape
members = shape.members if shape else {}
known = {f"--{xform_name(name, '-')}" for name in members}
known |= {f"--no-{xform_name(name, '-')}" for name, member in members.items() if member.type_name == "boolean"}
given = {argument for argument in rest if argument.startswith("--")}
if unknown := given - known - GLOBAL:
    sys.exit(f"aws {service} {command}: unknown {', '.join(sorted(unknown))}")
required = {f"--{xform_name(name, '-')}" for name in (shape.required_members if shape else [])}
if missing := {name for name in required - given if name.replace("--", "--no-") not in given}:
    sys.exit(f"aws {service} {command}: without {', '.join(sorted(missing))}")
print("arn:aws:example")
