"""Makes the binary fixtures beside it: a binary property list, a zip64 .ipa with a signed-looking app, a CMS profile.

Needs only Python's library and openssl. Run it in this folder; the files are checked in, so that tests need neither.
"""
import io, os, plistlib, struct, subprocess, tempfile, zipfile

GROUP = "group.com.example.shop"


def binary(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


def macho(entitlements, names=b""):
    """A 64-bit executable with nothing but a signature that carries entitlements."""
    blob = plistlib.dumps(entitlements)
    blob = struct.pack(">II", 0xFADE7171, len(blob) + 8) + blob
    super_blob = struct.pack(">IIIII", 0xFADE0CC0, 20 + len(blob), 1, 5, 20) + blob
    offset = 0x400
    head = struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 2, 1, 16, 0, 0)
    head += struct.pack("<4I", 0x1D, 16, offset, len(super_blob))
    return (head + names).ljust(offset, b"\0") + super_blob


def profile(entitlements, expires):
    import datetime
    content = plistlib.dumps({"Name": "Shop", "Entitlements": entitlements, "ExpirationDate": expires})
    with tempfile.TemporaryDirectory() as folder:
        key, cert, data, out = (os.path.join(folder, n) for n in ("k.pem", "c.pem", "d", "o"))
        run = lambda *a: subprocess.run(a, check=True, capture_output=True)
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "9",
            "-subj", "/CN=Fixture only")
        open(data, "wb").write(content)
        run("openssl", "cms", "-sign", "-binary", "-nodetach", "-in", data, "-signer", cert, "-inkey", key,
            "-outform", "DER", "-out", out)
        return open(out, "rb").read()


def info(name, identifier, extension=False, minimum="15.0"):
    value = {
        "CFBundleExecutable": name, "CFBundleIdentifier": identifier, "CFBundleShortVersionString": "1.2",
        "CFBundleVersion": "7", "MinimumOSVersion": minimum, "CFBundlePackageType": "XPC!" if extension else "APPL",
    }
    if extension:
        value["NSExtension"] = {
            "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
            "NSExtensionPrincipalClass": name + ".NotificationService",
        }
    return value


def ipa(path, app_rights, profile_rights, service_rights, minimum="15.0", expires=None, extra=()):
    import datetime
    expires = expires or datetime.datetime(2035, 1, 1)
    files = {
        "Payload/Shop.app/Info.plist": binary(info("Shop", "com.example.shop")),
        "Payload/Shop.app/Shop": macho(app_rights, b"_OBJC_CLASS_$_UNUserNotificationCenter\0registerForRemoteNotifications\0"),
        "Payload/Shop.app/embedded.mobileprovision": profile(profile_rights, expires),
        "Payload/Shop.app/PlugIns/Bell.appex/Info.plist": binary(info("Bell", "com.example.shop.bell", True, minimum)),
        "Payload/Shop.app/PlugIns/Bell.appex/Bell": macho(service_rights),
        **dict(extra),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                file.write(files[name])
    to_zip64(path)


def to_zip64(path):
    """Writes sizes, offsets and counts of the directory as zip64 does for archives beyond 4 GiB."""
    data = open(path, "rb").read()
    end = data.rindex(b"PK\5\6")
    count, size, offset = struct.unpack_from("<HII", data, end + 10)
    directory, position = b"", offset
    for _ in range(count):
        head = list(struct.unpack_from("<IHHHHHHIIIHHHHHII", data, position))
        name_length, extra_length = head[10], head[11]
        name = data[position + 46:position + 46 + name_length]
        wide = struct.pack("<HHQQQ", 1, 24, head[9], head[8], head[16])
        head[8] = head[9] = head[16] = 0xFFFFFFFF
        head[11] = len(wide)
        directory += struct.pack("<IHHHHHHIIIHHHHHII", *head) + name + wide
        position += 46 + name_length + extra_length
    record = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, len(directory), offset)
    locator = struct.pack("<IIQI", 0x07064B50, 0, offset + len(directory), 1)
    tail = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    open(path, "wb").write(data[:offset] + directory + record + locator + tail)


def main():
    import datetime
    app = {"aps-environment": "production", "com.apple.security.application-groups": [GROUP]}
    bell = {"com.apple.security.application-groups": [GROUP]}
    ipa("clean.ipa", app, app, bell)
    ipa("faulty.ipa", dict(app, **{"com.apple.developer.usernotifications.time-sensitive": True}),
        {"aps-environment": "development", "com.apple.security.application-groups": [GROUP]},
        {"com.apple.security.application-groups": ["group.com.example.other"]}, "17.0",
        datetime.datetime(2024, 1, 1), [("Payload/Shop.app/Sounds/paid.caf", b"caff\0\1\0\0")])
    open("info-binary.plist", "wb").write(binary(dict(
        info("Shop", "com.example.shop"), UIBackgroundModes=["remote-notification"], 标题="到账",
        Big=2**40, Small=-3, Real=1.5, Flag=True, Data=b"\1\2\3", Date=datetime.datetime(2026, 11, 30))))
    with open("Localizable-utf16.strings", "wb") as file:
        file.write('/* 前缀 */\n"prefix" = "微信收款";\n"quote" = "a\\"b\\U4e8c";\n'.encode("utf-16"))


main()
