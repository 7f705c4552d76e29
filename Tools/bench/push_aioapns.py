"""The same pushes through aioapns (from PyPI), for `aloud bench sender`.

usage: push_aioapns.py PORT COUNT IN_FLIGHT AUTHORITY.pem PAYLOAD.json KEY.p8 KEY_ID TEAM_ID [DEVICE_TOKEN]
Every push goes to another token of chance unless one is given.
Connects to localhost only. aioapns names Apple's host in its protocol class, so that class is replaced by one that names the bench's.
"""

import asyncio
import json
import secrets
import ssl
import sys
import uuid

import aioapns
from aioapns.connection import APNsTLSClientProtocol

port, count, width = (int(text) for text in sys.argv[1:4])
authority, payload_path, key_path, key_id, team_id = sys.argv[4:9]
device = sys.argv[9] if len(sys.argv) > 9 else None


class Loopback(APNsTLSClientProtocol):
    APNS_SERVER = "localhost"
    APNS_PORT = port


async def main() -> int:
    with open(key_path) as file:
        client = aioapns.APNs(key=file.read(), key_id=key_id, team_id=team_id, topic="com.example.app", max_connections=1)
    context = ssl.create_default_context(cafile=authority)
    context.set_alpn_protocols(["h2"])
    client.pool.protocol_class = Loopback
    client.pool.ssl_context = context
    with open(payload_path) as file:
        message = json.load(file)
    left = iter(range(count))
    accepted = 0

    async def lane() -> None:
        nonlocal accepted
        for _ in left:
            answer = await client.send_notification(
                aioapns.NotificationRequest(
                    device_token=device or secrets.token_hex(32), message=message, notification_id=str(uuid.uuid4()),
                    time_to_live=0, priority=10, push_type=aioapns.PushType.ALERT))
            accepted += answer.is_successful

    await asyncio.gather(*(lane() for _ in range(width)))
    print(accepted)
    return 0 if accepted == count else 1


sys.exit(asyncio.run(main()))
