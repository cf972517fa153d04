"""Runs the code blocks of a page, as JSON on stdin, one after the other: a reader has one shell and one Python session."""

import json
import os
import subprocess
import sys

blocks = json.load(sys.stdin)
shell = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
scope = {"__name__": "__main__"}


def run_in_shell(code, path):
    script = f"PATH={path}; set -eo pipefail\n{code}\necho '---end---'\n"
    shell.stdin.write(script)
    shell.stdin.flush()
    for line in shell.stdout:
        if line == "---end---\n":
            return
        print(line, end="")
    sys.exit(f"failed:\n{code}")


for at, block in enumerate(blocks):
    code, kind = block["code"], (block["language"], block["mark"])
    if kind in (("sh", ""), ("sh", "aws")):
        run_in_shell(code, os.environ["AWS_PATH" if block["mark"] else "PATH"])
    elif kind == ("python", ""):
        exec(compile(code, f"block {at}", "exec"), scope)
    elif kind == ("python", "account"):
        compile(code, f"block {at}", "exec")
    elif kind == ("ts", ""):
        with open(f"block-{at}.ts", "w") as file:
            file.write(code)
        subprocess.run(["node", f"block-{at}.ts"], check=True)
