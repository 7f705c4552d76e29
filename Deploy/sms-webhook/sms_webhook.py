#!/usr/bin/env python3
"""Sends an SMS for every event that nobody heard: the last step of Aloud's fallback ladder.

    ./sms_webhook.py --secret-file webhook.secret --numbers numbers.json --send 'send-sms {number} {text}'

numbers.json maps users to telephone numbers: {"shop": "+8613800000000"}. The command is run without a shell, once for each
number; it must exit with 0 when the SMS has been taken. Without --send the SMS is printed, to try things out. The server:

    aloud serve --webhook-url http://127.0.0.1:8090/ --webhook-private true --webhook-secret-file webhook.secret \\
                --ladder-alarm 20:push,40:device,60:webhook

What a call must be, before anything in it is believed:
  - Aloud-Signature "v1=" and the HMAC-SHA256 of "TIMESTAMP.BODY" under the shared secret, compared in constant time;
  - Aloud-Timestamp within five minutes of our clock;
  - Aloud-Webhook-Id not seen before. A repeat is answered like the first and sends nothing: Aloud repeats a call until it
    is answered with 2xx, and a person should get one SMS.
"""

import argparse
import collections
import hashlib
import hmac
import http.server
import json
import shlex
import subprocess
import sys
import threading
import time

WINDOW_SECONDS = 300
LARGEST_BODY = 65_536
REMEMBERED = 10_000


class Refused(Exception):
    """A call that is not answered with 2xx: the status, and words for the caller."""

    def __init__(self, status, words):
        super().__init__(words)
        self.status = status


def check_signature(secret, headers, body, now):
    """Raises Refused unless the call comes from the server that knows the secret, and recently."""
    stamp = headers.get("Aloud-Timestamp", "")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
        raise Refused(401, "Aloud-Timestamp is missing")
    expected = hmac.new(secret, stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    given = [part.strip()[3:] for part in headers.get("Aloud-Signature", "").split(",") if part.strip().startswith("v1=")]
    # Every candidate is compared: while a secret is being changed there may be two.
    matches = [hmac.compare_digest(expected.encode(), candidate.encode()) for candidate in given]
    if not any(matches):
        raise Refused(401, "the signature does not fit")
    if abs(now - int(stamp)) > WINDOW_SECONDS:
        raise Refused(401, "the timestamp is too old or in the future")


class Sender:
    """Turns one call into SMS, each webhook id once."""

    def __init__(self, numbers, command):
        self.numbers = numbers
        self.command = shlex.split(command) if command else None
        self.done = collections.OrderedDict()
        self.lock = threading.Lock()

    def handle(self, webhook_id, body):
        try:
            call = json.loads(body)
            kind, text, users = call["type"], call.get("text", ""), call.get("users", [])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Refused(422, "the body is not a webhook of Aloud") from error
        if kind != "event.unheard" or not text:
            return
        with self.lock:
            if webhook_id in self.done:
                return
            for user in users:
                if user in self.numbers:
                    self.send(self.numbers[user], text)
            self.done[webhook_id] = True
            while len(self.done) > REMEMBERED:
                self.done.popitem(last=False)

    def send(self, number, text):
        if self.command is None:
            print(f"SMS to {number}: {text}", flush=True)
            return
        filled = [{"{number}": number, "{text}": text}.get(part, part) for part in self.command]
        if subprocess.run(filled, timeout=10, check=False).returncode != 0:
            raise Refused(502, "the SMS gateway did not take it")


def make_handler(secret, sender):
    class Handler(http.server.BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self):
            try:
                length = int(self.headers.get("Content-Length", "0"))
                if not 0 < length <= LARGEST_BODY:
                    raise Refused(413, "the body is empty or too long")
                body = self.rfile.read(length)
                check_signature(secret, self.headers, body, time.time())
                sender.handle(self.headers.get("Aloud-Webhook-Id", ""), body)
                self.answer(204, "")
            except Refused as refusal:
                self.answer(refusal.status, str(refusal) + "\n")
            except (ValueError, subprocess.SubprocessError, OSError):
                # Aloud tries again, with growing pauses, for a day.
                self.answer(500, "the SMS could not be sent\n")

        def answer(self, status, words):
            self.send_response(status)
            self.send_header("Content-Length", str(len(words.encode())))
            self.end_headers()
            self.wfile.write(words.encode())

        def log_message(self, *_):
            """Nothing: a call holds an amount and names."""

    return Handler


def main():
    options = argparse.ArgumentParser(description="Sends an SMS for every event that nobody heard.")
    options.add_argument("--listen", default="127.0.0.1:8090", help="HOST:PORT; port 0 takes a free one")
    options.add_argument("--secret-file", required=True, help="the same file as aloud serve --webhook-secret-file")
    options.add_argument("--numbers", required=True, help="JSON: user to telephone number")
    options.add_argument("--send", help="command with {number} and {text}; printed when left out")
    chosen = options.parse_args()
    with open(chosen.secret_file, "rb") as file:
        secret = file.read().strip()
    if len(secret) < 8:
        sys.exit(f"{chosen.secret_file} holds no secret of at least 8 characters.")
    with open(chosen.numbers, encoding="utf-8") as file:
        numbers = json.load(file)
    host, _, port = chosen.listen.rpartition(":")
    server = http.server.ThreadingHTTPServer((host, int(port)), make_handler(secret, Sender(numbers, chosen.send)))
    print(f"listens on {host}:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
