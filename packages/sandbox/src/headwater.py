"""Reads the inputs of the task that runs this script, and stores its outputs for later tasks."""

import json
import os
import re

__all__ = ["read_input", "write_output"]

_REFERENCE = re.compile(r"\$\{([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|trigger\.[A-Za-z]{1,40})\}", re.IGNORECASE)


def read_input(name):
    """Returns the text of an input, or None if the task has no input with this name.

    For an input that refers to an earlier task or a trigger, this is the value that it provided. Raises LookupError if
    it provided none.
    """
    if name not in _names("inputs"):
        return None
    text = os.environ.get(name)
    if not text or not _REFERENCE.fullmatch(text):
        return text
    status, reply = _send("GET", text)
    if status == 200:
        return reply["value"]
    if reply.get("code") != "valueNotFound":
        raise RuntimeError(f"The input “{name}” could not be read: {reply.get('message', status)}")
    if text.startswith("${trigger."):
        raise LookupError(f"“{name}” refers to {text}, but no trigger with this value started the run.")
    raise LookupError(f"No earlier task provided a value for “{name}”.")


def write_output(name, value):
    """Stores the value of an output: strings unchanged; a dict, list, number, True or False as JSON.

    If no later task uses the output, the value is not stored. Raises ValueError if the task has no output with this
    name.
    """
    outputs = _names("outputs")
    if name not in outputs:
        existing = f"Its outputs are: {', '.join(outputs)}." if outputs else "It has no outputs."
        raise ValueError(f"The task has no output “{name}”. {existing}")
    if not isinstance(value, (str, dict, list, int, float)):
        kind = type(value).__name__
        raise TypeError(f"The output “{name}” can be a string, number, boolean, list or dict, but not {kind}.")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
    data = text.encode()
    if name not in os.environ:
        return
    status, reply = _send("POST", os.environ[name], data)
    if status != 200:
        raise RuntimeError(f"The output “{name}” could not be stored: {reply.get('message', status)}")


def _names(direction):
    return json.loads(os.environ.get("HEADWATER_PARAMS", "{}")).get(direction, [])


def _send(method, reference, data=None):
    """Calls the value store of the run and returns the status and body of the response."""
    # These modules load slowly, and most scripts do not need them.
    import http.client
    import urllib.parse

    address = urllib.parse.urlsplit(os.environ["NG_API_ENDPOINT"])
    path = f"/mgmt/store/{os.environ['PIPELINE_ID']}/{urllib.parse.quote(reference, safe='')}"
    headers = {
        "Authorization": f"Bearer {os.environ['NG_API_AUTHTOKEN']}",
        "X-KH-JOB-ID": os.environ["JOBID"],
        "Content-Type": "text/plain",
    }
    connection = http.client.HTTPConnection(address.hostname, address.port)
    try:
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()
