"""Starts moto's server, and runs the command of the arguments with its address in AWS_ENDPOINT_URL_S3VECTORS."""

import os
import subprocess
import sys

from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
environment = {
    **os.environ,
    "AWS_ENDPOINT_URL_S3VECTORS": f"http://{host}:{port}",
    "AWS_ACCESS_KEY_ID": "emulated",
    "AWS_SECRET_ACCESS_KEY": "emulated",
}
try:
    sys.exit(subprocess.run(sys.argv[1:], env=environment).returncode)
finally:
    server.stop()
